#include <string>

#include "gtest/gtest.h"
#include "lakeward/aws/digest.h"
#include "lakeward/aws/timestamps.h"
#include "lakeward/aws/xml.h"
#include "support/status_matchers.h"

namespace lakeward::aws {
namespace {

// FIPS 180-2 appendix B.1, RFC 4231 case 2, RFC 1321 appendix A.5, RFC 4648 section 10.
TEST(DigestTest, AgreesWithTheStandards) {
  EXPECT_EQ(Hex(Sha256("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Hex(HmacSha256("Jefe", "what do ya want for nothing?")),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(Hex(Md5("abc")), "900150983cd24fb0d6963f7d28e17f72");
  EXPECT_EQ(Base64(""), "");
  EXPECT_EQ(Base64("f"), "Zg==");
  EXPECT_EQ(Base64("foob"), "Zm9vYg==");
  EXPECT_EQ(Base64("foobar"), "Zm9vYmFy");
}

// Seconds since 1970 as `date -u +%s` gives them.
TEST(TimestampsTest, ReadsAndWritesTheForms) {
  constexpr int64_t kTimeUs = 1'440'938'160'000'000;
  EXPECT_EQ(ToBasicTimestamp(kTimeUs), "20150830T123600Z");
  EXPECT_EQ(ParseIsoTimestamp("2015-08-30T12:36:00Z"), kTimeUs);
  EXPECT_EQ(ParseIsoTimestamp("2015-08-30T12:36:00.000Z"), kTimeUs);
  EXPECT_EQ(ParseIsoTimestamp("2015-08-30T12:36:00.1234567Z"), kTimeUs + 123'456);
  EXPECT_EQ(ParseIsoTimestamp("2015-08-30T14:36:00+02:00"), kTimeUs);
  EXPECT_EQ(ParseIsoTimestamp("2015-08-30T09:06:00-03:30"), kTimeUs);
  EXPECT_EQ(ParseIsoTimestamp("1970-01-01T00:00:00Z"), 0);
  for (const char* text :
       {"", "now", "2015-08-30", "2015-13-30T12:36:00Z", "2015-02-30T12:36:00Z",
        "2015-08-30T12:36:00", "2015-08-30T12:36:00Zx", "2015-08-30T25:36:00Z"}) {
    EXPECT_EQ(ParseIsoTimestamp(text), std::nullopt) << text;
  }
  EXPECT_EQ(ParseHttpDate("Sun, 30 Aug 2015 12:36:00 GMT"), kTimeUs);
  for (const char* text :
       {"", "Sun, 30 Aug", "30 Aug 2015 12:36:00 GMT", "Sun, 30 Xyz 2015 12:36:00 GMT"}) {
    EXPECT_EQ(ParseHttpDate(text), std::nullopt) << text;
  }
}

TEST(XmlTest, ReadsAnAnswer) {
  ASSERT_ASSIGN(const XmlElement root, ParseXml(R"(<?xml version="1.0" encoding="UTF-8"?>
      <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
        <Name>b</Name><Contents><Key>a&amp;b&#x41;</Key><Size>1</Size></Contents>
        <Contents><Key> </Key></Contents><Prefix/></ListBucketResult>)"));
  EXPECT_EQ(root.name, "ListBucketResult");
  EXPECT_EQ(root.TextOf("Name"), "b");
  EXPECT_EQ(root.children.size(), 4U);
  EXPECT_EQ(root.children[1].TextOf("Key"), "a&bA");
  EXPECT_EQ(root.children[2].TextOf("Key"), " ");
  EXPECT_EQ(root.TextOf("Prefix"), "");
  EXPECT_EQ(root.Find("Missing"), nullptr);
}

// S3 keeps a connection alive with blanks before the answer of a long call.
TEST(XmlTest, BlanksMayStandBefore) {
  ASSERT_ASSIGN(const XmlElement root,
                ParseXml("  \n\n <?xml version=\"1.0\"?>\n<a><b>1</b></a>\n"));
  EXPECT_EQ(root.TextOf("b"), "1");
}

TEST(XmlTest, RefusesWhatIsNone) {
  for (const char* text : {"", "   ", "hello", "<a>", "<a></b>", "{\"a\": 1}", "<a><b></a>"}) {
    EXPECT_EQ(KindOf(ParseXml(text).status()), ErrorKind::kCorruptData) << text;
  }
  ASSERT_ASSIGN(const XmlElement root,
                ParseXml("<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><a>&x;</a>"));
  EXPECT_EQ(root.text, "&x;");
  EXPECT_EQ(EscapeXml("a<b>&\"\r"), "a&lt;b&gt;&amp;&quot;&#13;");
}

}  // namespace
}  // namespace lakeward::aws
