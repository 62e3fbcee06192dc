"""The weather of the long tests: one request in twenty meets a fault."""

from fault_proxy import FaultProxy, Rule
from faults import answering, cut_body, delay, drop, error_in_200, lost_answer, lost_in_500, reset

RATE = 0.05
EACH = {drop: (), reset: (), lost_answer: (), lost_in_500: (), cut_body: (), delay(0.3): (),
        answering(503, "SlowDown"): (), answering(500, "InternalError"): (), answering(429, "SlowDown"): (),
        answering(503): (), answering(409, "ConditionalRequestConflict"): ("conditional-put",),
        error_in_200("InternalError"): ("complete",)}
# What a clean machine says: the program is asked to be patient and quick.
SETTINGS = {"fs.s3a.retry.interval": "10 ms", "fs.s3a.connection.timeout": "5 s", "fs.s3a.attempts.maximum": "12"}


def add_background(proxy: FaultProxy, rate: float = RATE) -> None:
    proxy.add(*(Rule(fault, operations, probability=rate / len(EACH)) for fault, operations in EACH.items()))
