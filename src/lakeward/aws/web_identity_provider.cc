#include <utility>

#include "fmt/format.h"
#include "lakeward/aws/credential_provider.h"
#include "lakeward/aws/sts.h"

namespace lakeward::aws {
namespace {

std::string WithoutEndingBlanks(std::string text) {
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  return text;
}

class WebIdentityProvider final : public CredentialProvider {
 public:
  WebIdentityProvider(Surroundings surroundings, std::string region)
      : surroundings_(std::move(surroundings)), region_(std::move(region)) {}

  std::string_view name() const override { return "web identity"; }

  ProviderAnswer Ask() override {
    const auto token_file = surroundings_.environment("AWS_WEB_IDENTITY_TOKEN_FILE");
    if (!token_file.has_value()) {
      return ProviderAnswer::Absent("AWS_WEB_IDENTITY_TOKEN_FILE is not set");
    }
    AssumedRole role;
    role.arn = surroundings_.environment("AWS_ROLE_ARN").value_or("");
    if (role.arn.empty()) {
      return ProviderAnswer::Failed("AWS_WEB_IDENTITY_TOKEN_FILE is set, AWS_ROLE_ARN is not");
    }
    if (auto name = surroundings_.environment("AWS_ROLE_SESSION_NAME"); name.has_value()) {
      role.session_name = *std::move(name);
    }
    Result<std::string> token = surroundings_.read_file(*token_file);
    if (!token.ok()) {
      return ProviderAnswer::Failed(
          fmt::format("AWS_WEB_IDENTITY_TOKEN_FILE: {}", token.status().message()));
    }
    Result<Credentials> credentials =
        AssumeRoleWithWebIdentity(surroundings_, FindSts(surroundings_, "", region_), role,
                                  Secret(WithoutEndingBlanks(*std::move(token))));
    if (!credentials.ok()) {
      return ProviderAnswer::Failed(credentials.status().message());
    }
    credentials->origin += " (AWS_WEB_IDENTITY_TOKEN_FILE)";
    return ProviderAnswer::Found(*std::move(credentials));
  }

 private:
  const Surroundings surroundings_;
  const std::string region_;
};

}  // namespace

std::unique_ptr<CredentialProvider> MakeWebIdentityProvider(const Surroundings& surroundings,
                                                            const std::string& region) {
  return std::make_unique<WebIdentityProvider>(surroundings, region);
}

}  // namespace lakeward::aws
