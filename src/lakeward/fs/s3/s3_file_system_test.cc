#include "lakeward/fs/s3/s3_file_system.h"

#include <memory>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lakeward/fs/file_system_contract.h"
#include "lakeward/fs/s3/s3_model_testing.h"

namespace lakeward::fs {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A file system together with the store behind it.
std::shared_ptr<FileSystem> MakeModelFileSystem(const std::shared_ptr<S3Model>& model,
                                                S3Settings settings) {
  auto client = MakeModelClient(model.get(), std::move(settings), SystemClock());
  struct Held {
    std::shared_ptr<S3Model> model;
    std::shared_ptr<FileSystem> file_system;
  };
  const auto held = std::make_shared<Held>(Held{model, MakeS3FileSystem(std::move(client))});
  return {held, held->file_system.get()};
}

INSTANTIATE_TEST_SUITE_P(, FileSystemContractTest,
                         ::testing::Values(FileSystemKind{"S3Model",
                                                          [] {
                                                            return MakeModelFileSystem(
                                                                std::make_shared<S3Model>("bucket"),
                                                                ModelSettings("bucket"));
                                                          },
                                                          "bucket"},
                                           FileSystemKind{"S3ModelOfSmallPages",
                                                          [] {
                                                            const auto model =
                                                                std::make_shared<S3Model>("bucket");
                                                            model->page_keys_max = 2;
                                                            S3Settings settings =
                                                                ModelSettings("bucket");
                                                            settings.transfer.read_ahead_bytes = 0;
                                                            settings.transfer.deletes_many = false;
                                                            return MakeModelFileSystem(model,
                                                                                       settings);
                                                          },
                                                          "bucket"}),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

class S3FileSystemTest : public ::testing::Test {
 protected:
  static std::string Text(int64_t size) {
    std::string text;
    for (int64_t i = 0; std::ssize(text) < size; ++i) {
      text += std::to_string(i) + ",";
    }
    text.resize(static_cast<size_t>(size));
    return text;
  }

  const std::shared_ptr<S3Model> model_ = std::make_shared<S3Model>("bucket");
  std::shared_ptr<FileSystem> file_system_ = MakeModelFileSystem(model_, ModelSettings("bucket"));
};

TEST_F(S3FileSystemTest, SmallFilesAreOneRequest) {
  ASSERT_ASSIGN(const auto file, file_system_->OpenOutput("bucket/a", {}));
  ASSERT_STATUS_OK(file->Write(Text(1'000)));
  ASSERT_STATUS_OK(file->Close());
  EXPECT_THAT(model_->Seen(), ElementsAre("PUT /bucket/a"));
  ASSERT_ASSIGN(const std::string read, file_system_->ReadAll("bucket/a"));
  EXPECT_EQ(read, Text(1'000));
  EXPECT_EQ(model_->Seen().size(), 2U);
}

TEST_F(S3FileSystemTest, LargeFilesGoInPartsAndComeInPieces) {
  const std::string text = Text((10 << 20) + 17);
  ASSERT_ASSIGN(const auto file, file_system_->OpenOutput("bucket/large", {.if_absent = true}));
  ASSERT_STATUS_OK(file->Write(text));
  ASSERT_STATUS_OK(file->Close());
  EXPECT_EQ(model_->SeenCount("PUT /bucket/large?partNumber="), 11);
  EXPECT_EQ(model_->UploadCount(), 0U);

  ASSERT_ASSIGN(const auto input, file_system_->OpenInput("bucket/large"));
  std::string read(text.size(), '\0');
  ASSERT_ASSIGN(const int64_t count, input->ReadAt(0, std::ssize(read), read.data()));
  EXPECT_EQ(count, std::ssize(text));
  EXPECT_TRUE(read == text);

  read.clear();
  while (true) {
    ASSERT_ASSIGN(const auto piece, input->Read(300'007));
    if (piece->size() == 0) {
      break;
    }
    read += piece->ToString();
  }
  EXPECT_TRUE(read == text);
}

TEST_F(S3FileSystemTest, WhatFailsInTheBackgroundFailsClose) {
  ASSERT_STATUS_OK(file_system_->Put("bucket/first", "x", {}));
  model_->interceptor = [](const net::HttpRequest& request, const S3Model::Serve& serve) {
    return request.url.find("partNumber=2") != std::string::npos
               ? S3ErrorAnswer(403, "AccessDenied")
               : serve(request);
  };
  ASSERT_ASSIGN(const auto file, file_system_->OpenOutput("bucket/t", {}));
  Status written;
  for (int i = 0; i < 8 && written.ok(); ++i) {
    written = file->Write(Text(1 << 20));
  }
  const Status closed = file->Close();
  EXPECT_EQ(KindOf(closed), ErrorKind::kPermission);
  EXPECT_THAT(closed.message(), HasSubstr("Cannot upload part 2 of s3://bucket/t"));
  EXPECT_EQ(model_->UploadCount(), 0U) << "the upload was left behind";
  EXPECT_THAT(model_->Keys(), ElementsAre("first"));
}

TEST_F(S3FileSystemTest, AnObjectThatIsReplacedIsNotMixed) {
  model_->PutObject("f", Text(200'000));
  ASSERT_ASSIGN(const auto input, file_system_->OpenInput("bucket/f"));
  model_->PutObject("f", std::string(200'000, 'b'));
  const auto read = input->ReadAt(100'000, 10);
  EXPECT_EQ(KindOf(read.status()), ErrorKind::kIo);
  EXPECT_THAT(read.status().message(), HasSubstr("was replaced or removed"));
}

TEST_F(S3FileSystemTest, UploadsOfADeadProcessAreFound) {
  std::string token;
  {
    ASSERT_ASSIGN(const auto file, file_system_->OpenStaged("bucket/t/a b+c/s-1"));
    ASSERT_STATUS_OK(file->Write("rows"));
    ASSERT_ASSIGN(token, file->Stage());
  }
  // Another process, which knows only the token.
  file_system_ = MakeModelFileSystem(model_, ModelSettings("bucket"));
  ASSERT_STATUS_OK(file_system_->Publish(token));
  ASSERT_STATUS_OK(file_system_->Publish(token));
  model_->PutObject("t/a b+c/s-1", "somebody else's");
  EXPECT_EQ(KindOf(file_system_->Publish(token)), ErrorKind::kNotFound);
  EXPECT_EQ(KindOf(file_system_->Publish("{}")), ErrorKind::kCorruptData);
}

TEST_F(S3FileSystemTest, MarkersOfFoldersAreNoFiles) {
  for (const char* key : {"t/", "t/p=1/", "t/p=1/a", "t/b"}) {
    model_->PutObject(key, "");
  }
  ASSERT_ASSIGN(const auto files, file_system_->List("bucket/t"));
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].path, "bucket/t/b");
  EXPECT_EQ(files[1].path, "bucket/t/p=1/a");
  EXPECT_EQ(KindOf(file_system_->Stat("bucket").status()), ErrorKind::kNotFound);
  EXPECT_EQ(KindOf(file_system_->Stat("other/t").status()), ErrorKind::kInternal);
}

TEST(S3FileSystemsTest, FourSchemesAreOneClient) {
  const auto model = std::make_shared<S3Model>("warehouse");
  int clients = 0;
  const auto made = std::make_shared<S3FileSystems>(S3FileSystems::Means{
      .make_http =
          [&](const net::HttpClientOptions&) {
            ++clients;
            return std::make_shared<net::MemoryHttpClient>(
                [model](const net::HttpRequest& request) { return model->Handle(request); });
          },
      .make_surroundings =
          [](std::shared_ptr<net::HttpClient> http) {
            aws::Surroundings surroundings = aws::RealSurroundings(std::move(http));
            surroundings.environment = [](const std::string&) { return std::nullopt; };
            return surroundings;
          },
      .random = SystemRandom()});
  config::Configuration configuration;
  const auto set = [&](const std::string& key, const std::string& value) {
    configuration.Set(key, value, config::Level::kFile, "config.yaml");
  };
  set("s3.endpoint", "http://store.test");
  set("s3.access-key", "me");
  set("s3.secret-key", "hush");
  FileSystems file_systems;
  RegisterS3(&file_systems, made);
  for (const char* uri :
       {"s3://warehouse/t", "s3a://warehouse/t/", "s3n://warehouse//t", "s3p://warehouse/t/."}) {
    ASSERT_ASSIGN(const Location location, file_systems.Resolve(uri, configuration));
    EXPECT_EQ(location.path, "warehouse/t");
    ASSERT_STATUS_OK(location.file_system->Put(location.path + "/f", uri, {}));
  }
  EXPECT_EQ(clients, 1);
  EXPECT_THAT(model->Keys(), ElementsAre("t/f"));
  set("s3.secret-key", "other");
  ASSERT_STATUS_OK(file_systems.Resolve("s3://warehouse/t", configuration).status());
  EXPECT_EQ(clients, 2);
  set("s3.endpoint", "http//x");
  EXPECT_EQ(KindOf(file_systems.Resolve("s3://warehouse/t", configuration).status()),
            ErrorKind::kConfig);
}

TEST(S3FileSystemsTest, TheProfileNamesTheRegion) {
  const auto model = std::make_shared<S3Model>("warehouse");
  std::string authorization;
  const auto made = std::make_shared<S3FileSystems>(S3FileSystems::Means{
      .make_http =
          [&](const net::HttpClientOptions&) {
            return std::make_shared<net::MemoryHttpClient>([&](const net::HttpRequest& request) {
              authorization = *request.headers.Find("Authorization");
              return model->Handle(request);
            });
          },
      .make_surroundings =
          [](std::shared_ptr<net::HttpClient> http) {
            aws::Surroundings surroundings = aws::RealSurroundings(std::move(http));
            surroundings.environment = [](const std::string& name) {
              return name == "HOME" ? std::optional<std::string>("/home/me") : std::nullopt;
            };
            surroundings.read_file = [](const std::string& path) -> Result<std::string> {
              return path == "/home/me/.aws/config"
                         ? std::string("[default]\nregion = a-1\n[profile dev]\nregion = b-2\n")
                         : std::string();
            };
            return surroundings;
          },
      .random = SystemRandom()});
  config::Configuration configuration;
  const auto set = [&](const std::string& key, const std::string& value) {
    configuration.Set(key, value, config::Level::kFile, "config.yaml");
  };
  const auto region_is = [&](const std::string& region) {
    FileSystems file_systems;
    RegisterS3(&file_systems, made);
    ASSERT_ASSIGN(const Location location, file_systems.Resolve("s3://warehouse/t", configuration));
    ASSERT_STATUS_OK(location.file_system->Put(location.path, "x", {}));
    EXPECT_THAT(authorization, HasSubstr("/" + region + "/s3/aws4_request"));
  };
  set("s3.endpoint", "http://store.test");
  set("s3.access-key", "me");
  set("s3.secret-key", "hush");
  region_is("a-1");
  set("fs.s3a.auth.profile.name", "dev");
  region_is("b-2");
  set("s3.region", "c-3");
  region_is("c-3");
}

}  // namespace
}  // namespace lakeward::fs
