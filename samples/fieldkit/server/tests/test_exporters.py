import json

import pytest

from fieldkit.exporters import export
from fieldkit.model import Observation
from fieldkit.tracks import decode

HERON = Observation("o1", "heron", 52.5, 13.4, "ada")


def test_geojson_puts_longitude_first():
    feature = json.loads(export("geojson", [HERON]))["features"][0]
    assert feature["geometry"]["coordinates"] == [13.4, 52.5]


def test_an_unknown_format_says_what_there_is():
    with pytest.raises(ValueError, match="csv, geojson"):
        export("xls", [HERON])


def test_the_tracker_s_encoding():
    assert decode("_p~iF~ps|U_ulLnnqC") == [(38.5, -120.2), (40.7, -120.95)]
