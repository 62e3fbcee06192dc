#include "lakeward/net/url.h"

#include "gtest/gtest.h"
#include "support/status_matchers.h"

namespace lakeward::net {
namespace {

TEST(UrlTest, HasParts) {
  ASSERT_ASSIGN(const Url url, ParseUrl("HTTPS://Store.Example:8443/a/b?x=1&y#z"));
  EXPECT_EQ(url.scheme, "https");
  EXPECT_EQ(url.host, "store.example");
  EXPECT_EQ(url.port, 8443);
  EXPECT_EQ(url.path, "/a/b");
  EXPECT_EQ(url.query, "x=1&y");
  EXPECT_EQ(url.Authority(), "store.example:8443");
  EXPECT_EQ(url.ToText(), "https://store.example:8443/a/b?x=1&y");
  ASSERT_ASSIGN(const Url six, ParseUrl("http://[::1]:9000"));
  EXPECT_EQ(six.host, "[::1]");
  EXPECT_EQ(six.ToText(), "http://[::1]:9000/");
  ASSERT_ASSIGN(const Url own_port, ParseUrl("https://h:443?q"));
  EXPECT_EQ(own_port.Authority(), "h");
  EXPECT_EQ(own_port.ToText(), "https://h/?q");
}

TEST(UrlTest, RefusesOtherThings) {
  for (const char* text : {"", "localhost:9000", "http//x", "ftp://x", "http://", "http:///a",
                           "http://h:0", "http://h:70000", "http://h:x", "http://a b/"}) {
    EXPECT_EQ(KindOf(ParseUrl(text).status()), ErrorKind::kConfig) << text;
  }
  const Status with_password = ParseUrl("http://user:hush@host/").status();
  EXPECT_EQ(KindOf(with_password), ErrorKind::kConfig);
  EXPECT_EQ(Describe(with_password).find("hush"), std::string::npos);
}

// RFC 3986, section 2.3: everything that is not unreserved is escaped.
TEST(UrlTest, EncodesAllButUnreserved) {
  EXPECT_EQ(EncodeComponent("AZaz09-._~"), "AZaz09-._~");
  EXPECT_EQ(EncodeComponent("a b+c/é"), "a%20b%2Bc%2F%C3%A9");
  EXPECT_EQ(EncodePath("/a b/@:=!'()*,;&$%#?"),
            "/a%20b/%40%3A%3D%21%27%28%29%2A%2C%3B%26%24%25%23%3F");
  EXPECT_EQ(DecodeComponent("a%20b%2bc%C3%A9%zz%2"), "a b+cé%zz%2");
}

}  // namespace
}  // namespace lakeward::net
