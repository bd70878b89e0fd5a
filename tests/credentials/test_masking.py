"""Which text is masked before it goes to a model, and which is not."""

from __future__ import annotations

import base64
import random
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer_core.credentials import MASK, masked, masked_text, open_parts

AWS = "AKIA" + "IOSFODNN7EXAMPLE"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (f"key = {AWS}", f"key = {MASK}"),
        ("token: ghp_" + "a1B2" * 9, f"token: {MASK}"),
        ("xoxb-" + "123456789012-abcdefABCDEF", MASK),
        ("postgres://app:hunter2@db/shop", f"postgres://app:{MASK}@db/shop"),
        ("Authorization: Bearer " + "abcdefghijklmnop1234", f"Authorization: Bearer {MASK}"),
        ('password = "changeme"', f'password = "{MASK}"'),
        ("'api_key': 'abcdefgh'", f"'api_key': '{MASK}'"),
        ('clientSecret := "s3cr3ts"', f'clientSecret := "{MASK}"'),
        ("eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxIn0.c2ln", MASK),
        ('password = "correct horse battery"', f'password = "{MASK}"'),
        ('password = "it\'s12pw"', f'password = "{MASK}"'),
        (r'password = "ab\"cd\"ef"', f'password = "{MASK}"'),
        ('password = """hunter2pw"""', f'password = """{MASK}"""'),
        ('password == "hunter2pw"', f'password == "{MASK}"'),
        ('config["password"] = "hunter2pw"', f'config["password"] = "{MASK}"'),
        ('PASSWORD: str = "hunter2pw"', f'PASSWORD: str = "{MASK}"'),
        ('PASSWORD: str | None = "hunter2pw"', f'PASSWORD: str | None = "{MASK}"'),
        ('DB_PASSWORD_PROD = "hunter2pw"', f'DB_PASSWORD_PROD = "{MASK}"'),
        ("dbPassword?: string = 'hunter2pw'", f"dbPassword?: string = '{MASK}'"),
        ('val password: String? = "hunter2pw"', f'val password: String? = "{MASK}"'),
        ('PASSWORD: &\'static str = "hunter2pw";', f'PASSWORD: &\'static str = "{MASK}";'),
        ('var password string = "hunter2pw"', f'var password string = "{MASK}"'),
        ('char password[] = "hunter2pw";', f'char password[] = "{MASK}";'),
        ('string password = @"hunter2pw";', f'string password = @"{MASK}";'),
        ("define('DB_PASSWORD', 'hunter2pw');", f"define('DB_PASSWORD', '{MASK}');"),
    ],
)
def test_credential_in_a_line_is_masked(line: str, expected: str):
    assert masked(line) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("  password: hunter2pw", f"  password: {MASK}"),
        ("spring.datasource.password=hunter2 pw", f"spring.datasource.password={MASK}"),
        ("  - POSTGRES_PASSWORD=hunter2pw", f"  - POSTGRES_PASSWORD={MASK}"),
        ("export DB_PASSWORD=hunter2pw", f"export DB_PASSWORD={MASK}"),
        ("ENV DB_PASSWORD hunter2pw", f"ENV DB_PASSWORD {MASK}"),
        ("# password: hunter2pw", f"# password: {MASK}"),
        ("password: ${DB_PASSWORD}", None),
        ("password: {{ .Values.password }}", None),
        ("PASSWORD=$(pass show db)", None),
        ("password: !vault |", None),
        ("password: Enter your password", None),
        ("password: string", None),
        ("secretName: tls-of-the-shop", None),
        ("description: The password: it must be kept", None),
    ],
)
def test_unquoted_values_are_masked_only_in_configuration_files(line: str, expected: str | None):
    for path in ("a/b.yml", "application.properties", "Dockerfile"):
        assert masked(line, path) == (expected or line)
    assert masked(line, "a/b.py") == line


@pytest.mark.parametrize(
    "line",
    [
        "return place_order(request.basket, request.user)",
        "password = request.form['password']",
        "self.password_hasher = get_hasher(settings.PASSWORD_HASHERS)",
        "from shop.authentication.backends import ModelBackendWithSessions",
        'path("accounts/<int:account_id>/settings/notifications/", views.notifications)',
        "class AbstractSingletonProxyFactoryBeanPostProcessor2Impl:",
        "test_that_a_user_with_2_factors_can_log_in_after_3_tries()",
        "https://docs.example.org/en/5.2/topics/http/sessions.html#using-sessions",
        "SESSION_COOKIE_AGE = 60 * 60 * 24 * 7 * 2",
        "secret_key: str | None = None",
        'raise ValueError("The password must not be empty.")',
        "0x7fffffffffffffff",
        "{{ password }}",
        "password = get_password()",
        "if password == other:",
        'def log_in(password: str, mode="strictly"):',
        'password: "Choose a password of at least 8 characters."',
        'fields = ["password", "username"]',
        'set_error("password", "Choose a longer one.")',
        '<input type="password" name="password" id="password">',
        'password_field = "user_password"',
        'password = f"{first}-{second}"',
        'password = "${DB_PASSWORD}"',
        "---------------------------------------- 8< ----------------------------------------",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1",
        "123e4567-e89b-12d3-a456-426614174000",
        "m4-col-x2-w1-h3-p5-z6-q7-r8",
        "xQzWvKjHgFdSpLmNbRtYcXa",
        "",
    ],
)
def test_line_without_a_credential_is_left_alone(line: str):
    assert masked(line) == line


@pytest.mark.parametrize("size", [24, 26, 30, 32, 48, 64])
def test_random_tokens_are_masked(size: int):
    """At least 95 % are masked. This is only a safety net: a random token can look like words.

    The seed is fixed, so that every run has the same tokens; with forty new tokens per run, five
    once looked like words.
    """
    chance = random.Random(size)
    tokens = [base64.b64encode(chance.randbytes(size)).decode().rstrip("=") for _ in range(500)]
    unmasked = [token for token in tokens if token in masked(f"value: {token};")]
    assert len(unmasked) <= len(tokens) / 20


@given(st.text(alphabet=string.printable, max_size=300))
def test_masking_twice_is_masking_once(line: str):
    assert masked(masked(line)) == masked(line)


@given(st.lists(st.sampled_from([AWS, 'password = "changeme"', " x ", "y", ""]), max_size=5))
def test_open_parts_are_all_text_that_is_not_masked(parts: list[str]):
    line = " ".join(parts)
    spans = open_parts(line, "a.py")
    assert "".join(line[start:end] for start, end in spans) == masked(line).replace(MASK, "")
    assert all(start < end for start, end in spans)


def test_text_is_masked_line_by_line():
    assert masked_text(f"a\nkey = {AWS}\n\nb") == f"a\nkey = {MASK}\n\nb"
