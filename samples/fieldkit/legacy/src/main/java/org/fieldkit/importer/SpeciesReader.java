package org.fieldkit.importer;

import java.util.Locale;
import java.util.Map;

/** The old survey wrote German names; the new one keeps scientific ones. */
final class SpeciesReader implements ColumnReader {
    private static final Map<String, String> SCIENTIFIC = Map.of(
            "graureiher", "Ardea cinerea",
            "kiebitz", "Vanellus vanellus",
            "rotmilan", "Milvus milvus");

    @Override
    public void read(String cell, Map<String, Object> into) {
        String known = SCIENTIFIC.get(cell.trim().toLowerCase(Locale.GERMAN));
        if (known == null) {
            throw new IllegalArgumentException("unknown species: " + cell);
        }
        into.put("species", known);
    }
}
