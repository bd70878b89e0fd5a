package org.fieldkit.importer;

import java.util.Map;

/** Turns one cell into one or more fields; throws IllegalArgumentException when it cannot. */
@FunctionalInterface
public interface ColumnReader {
    void read(String cell, Map<String, Object> into);
}
