"""Packages from elsewhere: what manifests, lock files and installed copies say of them."""
