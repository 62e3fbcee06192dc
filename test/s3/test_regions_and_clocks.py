"""What a store says about region and time is learnt once and remembered."""

import re

import pytest

from conftest import KEYS
from fault_proxy import Rule
from faults import SKEW_SECONDS_MAX, answering, other_region, skewed_clock
from readers_on_s3 import read_deltalake
from tables import VALUES, delta_table, json_table

REGION = "eu-central-9"


def scopes(proxy) -> list[str]:
    """The regions that requests were signed for, in their order."""
    return [re.search(r"/([^/]+)/s3/aws4_request", head.get("Authorization"))[1] for head in proxy.requests]


@pytest.mark.parametrize("status", [301, 400])
@pytest.mark.parametrize("settings", [{}, {"s3.region": "us-west-7"}], ids=["no region set", "wrong region set"])
def test_the_bucket_says_its_region_once(place, endpoint, through, proxy, status, settings):
    """s3-config-09: with the region in a field or in the document, and no address to go to."""
    proxy.add(Rule(other_region(KEYS, REGION, status)))
    through.with_settings(settings).succeed(delta_table(place.uri("t")) + VALUES)
    assert read_deltalake(place.uri("t"), endpoint, KEYS) == [{"c1": "a", "c2": 42}]
    signed_for = scopes(proxy)
    assert signed_for[0] == settings.get("s3.region", "us-east-1")
    assert set(signed_for[1:]) == {REGION}


def test_a_right_region_needs_no_detour(place, through, proxy):
    proxy.add(Rule(other_region(KEYS, REGION)))
    through.with_settings({"s3.region": REGION}).succeed(json_table(place.uri("t")) + VALUES)
    assert set(scopes(proxy)) == {REGION}


def test_two_regions_that_name_each_other_are_an_error(place, through, proxy):
    def elsewhere(exchange):
        asked = re.search(r"/([^/]+)/s3/aws4_request", exchange.request.get("Authorization"))[1]
        answering(301, "PermanentRedirect", {"x_amz_bucket_region": f"not-{asked}"})(exchange)
    proxy.add(Rule(elsewhere))
    done = through.run(json_table(place.uri("t")) + VALUES)
    assert "is not in the region 'not-us-east-1' that was asked but in 'not-not-us-east-1'" in done.error
    assert proxy.count("create") == 2
    assert done.seconds < 10


@pytest.mark.parametrize("operation", ["create", "part", "complete", "list", "conditional-put"])
def test_a_redirect_that_leads_nowhere_is_no_success(place, through, proxy, operation):
    """s3-config-10: 301 without Location and without a region."""
    proxy.add(Rule(answering(301, "PermanentRedirect"), (operation,)))
    table = delta_table if operation in ("list", "conditional-put") else json_table
    done = through.run(table(place.uri("t")) + VALUES)
    assert "(HTTP status 301)" in done.error
    assert place.files() == {}


@pytest.mark.parametrize("seconds", [20 * 60, -20 * 60], ids=["store ahead", "store behind"])
def test_a_skewed_clock_is_learnt_once(place, endpoint, through, proxy, seconds):
    """s3-config-27: the offset counts for every later request and is told once."""
    assert abs(seconds) > SKEW_SECONDS_MAX
    proxy.add(Rule(skewed_clock(KEYS, seconds)))
    done = through.with_settings({"parallelism.default": "1"}).succeed(delta_table(place.uri("t")) + VALUES)
    assert read_deltalake(place.uri("t"), endpoint, KEYS) == [{"c1": "a", "c2": 42}]
    warnings = [line for line in done.errors.splitlines() if "WARN" in line]
    assert len(warnings) == 1, warnings
    assert re.search(r"the clock of http://127\.0\.0\.1:\d+ is (1199|1200|1201) s "
                     + ("ahead of" if seconds > 0 else "behind"), warnings[0]), warnings
    offsets = [-head.signed_ago() for head in proxy.requests]
    assert abs(offsets[0]) < 5
    assert all(abs(offset - seconds) < 5 for offset in offsets[1:]), offsets


def test_a_clock_that_no_date_tells_is_an_error(place, through, proxy):
    proxy.add(Rule(answering(403, "RequestTimeTooSkewed")))
    done = through.run(json_table(place.uri("t")) + VALUES)
    assert "the clocks of this machine and the store differ" in done.error
    assert done.error.endswith("Set this machine's clock.")
    assert done.seconds < 10
