#include "lakeward/fs/s3/s3_client.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "lakeward/fs/s3/s3_client_fixture.h"

namespace lakeward::fs {
namespace {

using net::HttpFailureKind;
using net::HttpMethod;
using net::HttpOutcome;
using net::HttpRequest;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST_F(S3ClientTest, TheFirstConditionalPutProvesTheStore) {
  ASSERT_STATUS_OK(client().PutIfAbsent("log/0", "zero"));
  EXPECT_THAT(model_.Seen(),
              ElementsAre("HEAD /bucket/log/0", "PUT /bucket/log/0", "PUT /bucket/log/0"));
  ASSERT_STATUS_OK(client().PutIfAbsent("log/1", "one"));
  EXPECT_EQ(model_.Seen().size(), 4U);
  EXPECT_EQ(KindOf(client().PutIfAbsent("log/1", "one")), ErrorKind::kAlreadyExists);
}

TEST_F(S3ClientTest, AnObjectThatIsThereIsNotOverwrittenToProve) {
  model_.ignores_conditions = true;
  model_.PutObject("log/0", "theirs");
  EXPECT_EQ(KindOf(client().PutIfAbsent("log/0", "ours")), ErrorKind::kAlreadyExists);
  ASSERT_ASSIGN(const std::string bytes, client().Get("log/0"));
  EXPECT_EQ(bytes, "theirs");
}

TEST_F(S3ClientTest, AStoreThatIgnoresTheConditionIsRefused) {
  model_.ignores_conditions = true;
  const Status status = client().PutIfAbsent("log/0", "zero");
  EXPECT_EQ(KindOf(status), ErrorKind::kUnsupported);
  EXPECT_THAT(status.message(), HasSubstr("ignores 'If-None-Match: *'"));
  EXPECT_THAT(HintOf(status), HasSubstr("fs.s3a.single.writer"));
  EXPECT_THAT(model_.Keys(), IsEmpty());
}

TEST_F(S3ClientTest, ASingleWriterIsAllowedOnPurpose) {
  settings_.allows_single_writer = true;
  model_.ignores_conditions = true;
  ASSERT_STATUS_OK(client().PutIfAbsent("log/0", "zero"));
  EXPECT_EQ(KindOf(client().PutIfAbsent("log/0", "again")), ErrorKind::kAlreadyExists);
  ASSERT_STATUS_OK(client().PutIfAbsent("log/1", "one"));

  client_ = nullptr;
  model_.ignores_conditions = false;
  model_.knows_conditions = false;
  ASSERT_STATUS_OK(client().PutIfAbsent("log/2", "two"));
  client_ = nullptr;
  settings_.allows_single_writer = false;
  EXPECT_EQ(KindOf(client().PutIfAbsent("log/3", "three")), ErrorKind::kUnsupported);
  EXPECT_THAT(model_.Keys(), ElementsAre("log/0", "log/1", "log/2"));
}

TEST_F(S3ClientTest, ALostAnswerIsResolvedByLooking) {
  ASSERT_STATUS_OK(client().PutIfAbsent("proof", "x"));
  LoseNextAnswer();
  EXPECT_STATUS_OK(client().PutIfAbsent("log/0", "zero"));
  // Ours did not arrive; meanwhile somebody else's did.
  faults_.push_back([this](const HttpRequest&, const S3Model::Serve&) {
    model_.PutObject("log/1", "one");
    return HttpOutcome::OfFailure(HttpFailureKind::kStalled, "silence", true);
  });
  EXPECT_EQ(KindOf(client().PutIfAbsent("log/1", "one")), ErrorKind::kAlreadyExists);
  // An error of the server's may have been a success too.
  faults_.push_back([](const HttpRequest& request, const S3Model::Serve& serve) {
    serve(request);
    return S3ErrorAnswer(500, "InternalError");
  });
  EXPECT_STATUS_OK(client().PutIfAbsent("log/2", "two"));
}

TEST_F(S3ClientTest, AConflictIsTriedAgainWithTheSameKey) {
  ASSERT_STATUS_OK(client().PutIfAbsent("proof", "x"));
  Next(S3ErrorAnswer(409, "ConditionalRequestConflict"), 3);
  EXPECT_STATUS_OK(client().PutIfAbsent("log/0", "zero"));
  Next(S3ErrorAnswer(409, "ConditionalRequestConflict"), 100);
  EXPECT_EQ(KindOf(client().PutIfAbsent("log/1", "one")), ErrorKind::kIo);
}

TEST_F(S3ClientTest, ADownloadGoesOnWhereItBroke) {
  std::string text;
  for (int i = 0; text.size() < 100'000; ++i) {
    text += std::to_string(i);
  }
  model_.PutObject("k", text);
  ASSERT_ASSIGN(const S3ObjectInfo info, client().Head("k"));
  std::vector<std::string> ranges;
  const auto cut = [&ranges](const HttpRequest& request, const S3Model::Serve& serve) {
    ranges.push_back(request.headers.Get("Range"));
    HttpOutcome outcome = serve(request);
    outcome.response.body.resize(outcome.response.body.size() / 2);
    outcome.failure.emplace();
    outcome.failure->kind = HttpFailureKind::kCutBody;
    return outcome;
  };
  faults_ = {cut, cut};
  std::string read(80'000, '\0');
  ASSERT_STATUS_OK(client().GetRange("k", info.etag, 10'000, 80'000, read.data()));
  EXPECT_TRUE(read == text.substr(10'000, 80'000));
  EXPECT_THAT(ranges, ElementsAre("bytes=10000-89999", "bytes=50000-89999"));
}

TEST_F(S3ClientTest, MoreThanAskedForIsRefused) {
  Next(HttpOutcome::Of(200, std::string(1'000, 'x')));
  std::string read(10, '\0');
  EXPECT_EQ(KindOf(client().GetRange("k", "", 100, 10, read.data())), ErrorKind::kUnsupported);
}

S3FinishedParts UploadOf(S3Client& client, const std::string& key, const std::string& bytes) {
  S3FinishedParts parts;
  parts.key = key;
  parts.writer_id = client.NewWriterId();
  parts.upload_id = *client.CreateUpload(key, parts.writer_id);
  parts.etags = {*client.UploadPart(key, parts.upload_id, 1, bytes)};
  parts.size_bytes = std::ssize(bytes);
  return parts;
}

TEST_F(S3ClientTest, FinishingAnUploadSurvivesWhatGoesWrong) {
  Next(HttpOutcome::Of(200));  // contact
  ASSERT_STATUS_OK(client().Put("x", "x"));
  const S3FinishedParts first = UploadOf(client(), "a", "bytes");
  Next(S3ErrorAnswer(200, "InternalError"), 2);  // 200 with an error inside
  EXPECT_STATUS_OK(client().CompleteUpload(first, false));
  const S3FinishedParts second = UploadOf(client(), "b", "bytes");
  LoseNextAnswer();
  EXPECT_STATUS_OK(client().CompleteUpload(second, false));
  EXPECT_STATUS_OK(client().CompleteUpload(second, false));  // finished twice
  EXPECT_EQ(model_.UploadCount(), 0U);
}

TEST_F(S3ClientTest, TheLengthOfWhatWasMadeIsChecked) {
  S3FinishedParts parts = UploadOf(client(), "a", "bytes");
  parts.size_bytes = 6;
  const Status status = client().CompleteUpload(parts, false);
  EXPECT_EQ(KindOf(status), ErrorKind::kIo);
  EXPECT_THAT(status.message(), HasSubstr("has 5 bytes in the store where 6 were uploaded"));
}

TEST_F(S3ClientTest, FinishingMindsWhoCameFirst) {
  const S3FinishedParts parts = UploadOf(client(), "a", "ours");
  model_.PutObject("a", "theirs");
  EXPECT_EQ(KindOf(client().CompleteUpload(parts, true)), ErrorKind::kAlreadyExists);
  const S3FinishedParts racing = UploadOf(client(), "b", "ours");
  faults_.push_back([this](const HttpRequest& request, const S3Model::Serve& serve) {
    const HttpOutcome outcome = serve(request);  // HEAD: nothing there yet
    model_.PutObject("b", "theirs");
    return outcome;
  });
  EXPECT_EQ(KindOf(client().CompleteUpload(racing, true)), ErrorKind::kAlreadyExists);
}

TEST_F(S3ClientTest, AnUploadBegunTwiceIsEndedOnce) {
  MakeContact();
  LoseNextAnswer();
  ASSERT_ASSIGN(const std::string id, client().CreateUpload("a", "w"));
  EXPECT_EQ(model_.UploadCount(), 1U);
  EXPECT_STATUS_OK(client().UploadPart("a", id, 1, "x").status());
}

std::vector<std::string> KeysOf(const Result<std::vector<S3ListedObject>>& objects) {
  EXPECT_TRUE(objects.ok()) << objects.status().ToString();
  std::vector<std::string> keys;
  for (const S3ListedObject& object : objects.ValueOr({})) {
    keys.push_back(object.key);
  }
  return keys;
}

std::string ListingOf(const std::string& inside) {
  return "<ListBucketResult>" + inside + "</ListBucketResult>";
}

std::string Contents(const std::string& key) {
  return "<Contents><Key>" + key + "</Key><Size>1</Size></Contents>";
}

const char* const kMore = "<IsTruncated>true</IsTruncated>";

TEST_F(S3ClientTest, ListingsOfEveryKey) {
  const std::vector<std::string> keys{"a b/ x", "a b/#",     "a b/%",   "a b/&",   "a b/'",
                                      "a b/(",  "a b/+",     "a b/,",   "a b/..",  "a b//x",
                                      "a b/:",  "a b/;",     "a b/<x>", "a b/=",   "a b/?",
                                      "a b/@",  "a b/a%20b", "a b/é",   "a b/日本"};
  model_.page_keys_max = 3;
  for (const std::string& key : keys) {
    ASSERT_STATUS_OK(client().Put(key, key));
    ASSERT_ASSIGN(const std::string bytes, client().Get(key));
    EXPECT_EQ(bytes, key);
  }
  EXPECT_EQ(KeysOf(client().List("a b/", "", "")), keys);
  EXPECT_EQ(KeysOf(client().List("a b/", "/", "a b/@")),
            (std::vector<std::string>{"a b/a%20b", "a b/é", "a b/日本"}));
}

TEST_F(S3ClientTest, ListingsSurviveOddGateways) {
  // A truncated page whose follower is empty.
  Next(HttpOutcome::Of(
      200, ListingOf(kMore + Contents("a") + "<NextContinuationToken>1</NextContinuationToken>")));
  Next(HttpOutcome::Of(200, ListingOf("<IsTruncated>false</IsTruncated>")));
  EXPECT_THAT(KeysOf(client().List("", "", "")), ElementsAre("a"));
  // Truncated without a token: go on after the last key.
  Next(HttpOutcome::Of(200, ListingOf(kMore + Contents("a"))));
  faults_.push_back([](const HttpRequest& request, const S3Model::Serve&) {
    EXPECT_THAT(request.url, HasSubstr("start-after=a"));
    return HttpOutcome::Of(200, ListingOf(Contents("b") + Contents("a")));
  });
  EXPECT_THAT(KeysOf(client().List("", "", "")), ElementsAre("a", "b"));
  // The same token again, with progress; repeated prefixes.
  const std::string prefix = "<CommonPrefixes><Prefix>p/</Prefix></CommonPrefixes>";
  Next(HttpOutcome::Of(
      200, ListingOf(kMore + prefix + "<NextContinuationToken>1</NextContinuationToken>")));
  Next(HttpOutcome::Of(200, ListingOf(kMore + prefix + Contents("q") +
                                      "<NextContinuationToken>1</NextContinuationToken>")));
  Next(HttpOutcome::Of(200, ListingOf(prefix + Contents("r"))));
  EXPECT_THAT(KeysOf(client().List("", "/", "")), ElementsAre("q", "r"));
  // An empty truncated page with a new token is no end.
  Next(HttpOutcome::Of(
      200, ListingOf(kMore + std::string("<NextContinuationToken>1</NextContinuationToken>"))));
  Next(HttpOutcome::Of(200, ListingOf(Contents("z"))));
  EXPECT_THAT(KeysOf(client().List("", "", "")), ElementsAre("z"));
  // No progress at all is an error, not an endless loop.
  Next(HttpOutcome::Of(200, ListingOf(kMore + Contents("a"))), 100);
  EXPECT_EQ(KindOf(client().List("", "", "").status()), ErrorKind::kIo);
}

TEST_F(S3ClientTest, RemovingManyTellsWhatFailed) {
  ASSERT_STATUS_OK(client().Put("a", "x"));
  Next(HttpOutcome::Of(200,
                       "<DeleteResult><Error><Key>b</Key><Code>AccessDenied</Code><Message>no"
                       "</Message></Error></DeleteResult>"));
  const Status status = client().DeleteMany({"a", "b"});
  EXPECT_EQ(KindOf(status), ErrorKind::kPermission);
  EXPECT_THAT(status.message(), HasSubstr("Cannot remove s3://bucket/b: AccessDenied: no"));
  std::vector<std::string> keys;
  for (int i = 0; i < 2'500; ++i) {
    keys.push_back("many/" + std::to_string(i));
  }
  ASSERT_STATUS_OK(client().DeleteMany(keys));
  EXPECT_EQ(model_.SeenCount("POST /bucket?delete="), 4);
}

}  // namespace
}  // namespace lakeward::fs
