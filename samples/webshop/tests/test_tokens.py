from shop.web.tokens import issue_token, read_token


def test_round_trip():
    assert read_token(issue_token(7, "key", now=0), "key", now=10) == 7


def test_forged_and_old_tokens_are_refused():
    token = issue_token(7, "key", now=0)
    assert read_token(token, "other", now=10) is None
    assert read_token(token, "key", now=10**9) is None
