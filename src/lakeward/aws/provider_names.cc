#include "lakeward/aws/provider_names.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "fmt/format.h"
#include "lakeward/base/similar_names.h"

namespace lakeward::aws {
namespace {

using enum ProviderKind;

// A class by its name without package, and what it means.
struct NamedProvider {
  std::string_view class_name;
  std::vector<ProviderKind> kinds;
};

const std::vector<NamedProvider>& NamedProviders() {
  static const std::vector<NamedProvider> providers{
      // org.apache.hadoop.fs.s3a
      {"TemporaryAWSCredentialsProvider", {kConfigurationTemporary}},
      {"SimpleAWSCredentialsProvider", {kConfigurationSimple}},
      {"BasicAWSCredentialsProvider", {kConfigurationSimple}},
      {"AnonymousAWSCredentialsProvider", {kAnonymous}},
      {"AssumedRoleCredentialProvider", {kAssumedRole}},
      {"IAMInstanceCredentialsProvider", {kContainer, kInstance}},
      {"SharedInstanceCredentialProvider", {kInstance}},
      {"SharedInstanceProfileCredentialsProvider", {kInstance}},
      {"ProfileAWSCredentialsProvider", {kProfile}},
      // com.amazonaws.auth and software.amazon.awssdk.auth.credentials
      {"DefaultAWSCredentialsProviderChain",
       {kEnvironment, kWebIdentity, kProfile, kContainer, kInstance}},
      {"DefaultCredentialsProvider", {kEnvironment, kWebIdentity, kProfile, kContainer, kInstance}},
      {"EnvironmentVariableCredentialsProvider", {kEnvironment}},
      {"WebIdentityTokenCredentialsProvider", {kWebIdentity}},
      {"WebIdentityTokenFileCredentialsProvider", {kWebIdentity}},
      {"ProfileCredentialsProvider", {kProfile}},
      {"ProcessCredentialsProvider", {kProfile}},
      {"ContainerCredentialsProvider", {kContainer}},
      {"EC2ContainerCredentialsProviderWrapper", {kContainer, kInstance}},
      {"InstanceProfileCredentialsProvider", {kInstance}},
      {"StsAssumeRoleCredentialsProvider", {kAssumedRole}},
      {"STSAssumeRoleSessionCredentialsProvider", {kAssumedRole}},
      {"StsWebIdentityTokenFileCredentialsProvider", {kWebIdentity}},
      {"AnonymousCredentialsProvider", {kAnonymous}},
      {"AnonymousAWSCredentials", {kAnonymous}},
      {"AWSStaticCredentialsProvider", {kConfigurationTemporary, kConfigurationSimple}},
      {"StaticCredentialsProvider", {kConfigurationTemporary, kConfigurationSimple}},
  };
  return providers;
}

// Known classes that look at things which only a JVM or a Flink cluster has.
constexpr std::array<std::string_view, 4> kOnlyInJava{
    "SystemPropertiesCredentialsProvider", "SystemPropertyCredentialsProvider",
    "DynamicTemporaryAWSCredentialsProvider", "DelegationTokenCredentialProvider"};

std::string_view WithoutPackage(std::string_view name) {
  const size_t dot = name.find_last_of(".$");
  return dot == std::string_view::npos ? name : name.substr(dot + 1);
}

Status Unknown(std::string_view name, const std::string& origin) {
  std::vector<std::string> known;
  for (const NamedProvider& provider : NamedProviders()) {
    known.emplace_back(provider.class_name);
  }
  const std::string near = DidYouMean(WithoutPackage(name), known);
  return MakeError(ErrorKind::kConfig,
                   fmt::format("'{}' is no provider of credentials (from {})", name, origin),
                   near.empty() ? fmt::format("Known ones: {}.", fmt::join(known, ", ")) : near);
}

}  // namespace

std::vector<ProviderKind> DefaultProviders() {
  return {kConfigurationTemporary,
          kConfigurationSimple,
          kEnvironment,
          kWebIdentity,
          kProfile,
          kContainer,
          kInstance};
}

Result<std::vector<ProviderKind>> ParseProviderNames(const std::vector<std::string>& names,
                                                     const std::string& origin) {
  std::vector<ProviderKind> kinds;
  for (const std::string& name : names) {
    const std::string_view class_name = WithoutPackage(name);
    if (std::find(kOnlyInJava.begin(), kOnlyInJava.end(), class_name) != kOnlyInJava.end()) {
      return MakeError(ErrorKind::kConfig,
                       fmt::format("The provider of credentials '{}' works only inside of a Java "
                                   "program (from {})",
                                   name, origin),
                       "Take it out of the list; keys can stand in the configuration, in AWS_* "
                       "variables or in ~/.aws.");
    }
    const auto& known = NamedProviders();
    const auto found = std::find_if(known.begin(), known.end(), [&](const NamedProvider& provider) {
      return provider.class_name == class_name;
    });
    if (found == known.end()) {
      return Unknown(name, origin);
    }
    for (const ProviderKind kind : found->kinds) {
      if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) {
        kinds.push_back(kind);
      }
    }
  }
  return kinds;
}

}  // namespace lakeward::aws
