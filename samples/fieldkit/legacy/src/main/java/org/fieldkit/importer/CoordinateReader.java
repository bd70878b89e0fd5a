package org.fieldkit.importer;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The old sheets hold degrees, minutes and seconds in one cell: {@code 52°31'12"N 13°24'18"E}. */
final class CoordinateReader implements ColumnReader {
    private static final Pattern ANGLE = Pattern.compile("(\\d+)°(\\d+)'(\\d+)\"([NSEW])");

    @Override
    public void read(String cell, Map<String, Object> into) {
        Matcher angle = ANGLE.matcher(cell);
        while (angle.find()) {
            boolean north = angle.group(4).matches("[NS]");
            into.put(north ? "latitude" : "longitude", decimal(angle));
        }
        if (!into.containsKey("latitude") || !into.containsKey("longitude")) {
            throw new IllegalArgumentException("not a coordinate: " + cell);
        }
    }

    private static double decimal(Matcher angle) {
        double degrees = Integer.parseInt(angle.group(1))
                + Integer.parseInt(angle.group(2)) / 60.0
                + Integer.parseInt(angle.group(3)) / 3600.0;
        return angle.group(4).matches("[SW]") ? -degrees : degrees;
    }
}
