"""Detects and masks what looks like a credential, for models, reports and surveys."""

from explorer_core.credentials.masking import MASK, credentials, masked, masked_text, open_parts

__all__ = ["MASK", "credentials", "masked", "masked_text", "open_parts"]
