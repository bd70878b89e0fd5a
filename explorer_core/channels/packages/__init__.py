"""External packages, from manifests, lock files and installed copies."""
