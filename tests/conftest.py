"""What holds for every test.

Hypothesis: few examples every day, many when HYPOTHESIS_PROFILE is ``thorough``; no deadlines: a
busy machine is no failure.
"""

from __future__ import annotations

import os
import signal

from hypothesis import HealthCheck, settings

settings.register_profile(
    "everyday", max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("thorough", settings.get_profile("everyday"), max_examples=500)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "everyday"))

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    # A run in the background of a script ignores interrupts, and so would the programs under test.
    signal.signal(signal.SIGINT, signal.default_int_handler)
