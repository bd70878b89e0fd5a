"""Set-up for every test.

Hypothesis runs few examples by default and many if HYPOTHESIS_PROFILE is ``thorough``. It has no
deadlines, because a busy machine is not a failure.
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
    # In the background of a script, this process ignores interrupts, and the programs under test
    # would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
