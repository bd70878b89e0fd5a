package org.fieldkit.importer;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the old survey's spreadsheets, saved as text, into changes that the server understands. */
public final class Importer {
    private final Map<String, ColumnReader> readers = new LinkedHashMap<>();
    private final List<String> problems = new ArrayList<>();

    public Importer() {
        readers.put("Art", new SpeciesReader());
        readers.put("Anzahl", (cell, into) -> into.put("count", Integer.parseInt(cell.trim())));
        readers.put("Koordinate", new CoordinateReader());
        readers.put("Bemerkung", (cell, into) -> into.put("note", cell));
    }

    /** One map of fields for every row that could be read; the others are described in {@link #problems()}. */
    public List<Map<String, Object>> read(BufferedReader sheet) throws IOException {
        String[] header = sheet.readLine().split(";");
        List<Map<String, Object>> rows = new ArrayList<>();
        String line;
        for (int number = 2; (line = sheet.readLine()) != null; number++) {
            Map<String, Object> fields = new LinkedHashMap<>();
            try {
                readRow(header, line.split(";", -1), fields);
                rows.add(fields);
            } catch (IllegalArgumentException problem) {
                problems.add("line " + number + ": " + problem.getMessage());
            }
        }
        return rows;
    }

    private void readRow(String[] header, String[] cells, Map<String, Object> into) {
        if (cells.length != header.length) {
            throw new IllegalArgumentException("expected " + header.length + " cells, found " + cells.length);
        }
        for (int i = 0; i < header.length; i++) {
            ColumnReader reader = readers.get(header[i]);
            if (reader != null && !cells[i].isBlank()) {
                reader.read(cells[i], into);
            }
        }
    }

    public List<String> problems() {
        return List.copyOf(problems);
    }
}
