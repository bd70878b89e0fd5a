"""What looks like a credential, and text without it: withheld from models, reports and surveys."""

from explorer_core.credentials.masking import MASK, credentials, masked, masked_text, open_parts

__all__ = ["MASK", "credentials", "masked", "masked_text", "open_parts"]
