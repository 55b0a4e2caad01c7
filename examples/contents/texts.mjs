import iconv from 'iconv-lite';
import { TRAFFIC } from '../makers/prose.mjs';

/** The same lighthouse in several languages, each in a charset that its readers used for a long time. */
export function texts() {
  return {
    'texts/harbour-rules.md': Buffer.from(HARBOUR_RULES),
    'texts/weather-log.txt': Buffer.from(WEATHER_LOG),
    'texts/tide-table-utf-16.txt': iconv.encode(TIDE_TABLE, 'utf-16le', { addBOM: true }),
    'texts/le-phare-iso-8859-1.txt': iconv.encode(LE_PHARE, 'iso-8859-1'),
    'texts/mayak-windows-1251.txt': iconv.encode(MAYAK, 'windows-1251'),
    'texts/toudai-shift-jis.txt': iconv.encode(TOUDAI, 'shift_jis'),
    'data/stations.json': Buffer.from(`${JSON.stringify(STATIONS, null, 2)}\n`),
    'data/buoys.xml': Buffer.from(BUOYS),
    'tools/flash_interval.py': Buffer.from(FLASH_INTERVAL),
  };
}

const HARBOUR_RULES = `# Rules of the harbour of Portholm

1. Speed inside the breakwater: **walking pace**.
2. The ferry *Kittiwake* has right of way, always.
3. No fishing from berth number two.
4. When the foghorn sounds, show your lights.

## Fees

| Length | Crowns a night |
| --- | ---: |
| up to 8 metres | 12 |
| up to 12 metres | 18 |
| longer | 25 |

Visitors may climb the [lighthouse](https://lighthouse.portholm.example/) on Sundays. It has two hundred and six steps.
`;

const WEATHER_LOG = `Weather log of the lighthouse on Gannet Point, November 2025

03  06:00  SW 4  overcast    1012 hPa  visibility 11 nm  7 °C
03  12:00  SW 5  rain        1009 hPa  visibility  6 nm  8 °C
03  18:00  W  6  showers     1007 hPa  visibility  8 nm  7 °C
04  06:00  W  3  clear       1015 hPa  visibility 19 nm  5 °C
05  06:00  –  0  fog         1021 hPa  visibility  0 nm  4 °C  foghorn started 05:40, stopped 11:15
06  06:00  –  0  fog         1022 hPa  visibility  0 nm  3 °C  ferry Kittiwake waited 45 minutes

Remarks: a skein of barnacle geese on the 4th, about ninety. The barometer needs a new glass.
`;

const TIDE_TABLE = `Tide table for Portholm, first week of November 2025 (UTF-16 with a byte order mark)

Day   High water   Height   Low water   Height
Sat   02:11        3.9 m    08:24       1.1 m
Sun   03:02        4.1 m    09:15       0.9 m
Mon   03:49        4.4 m    10:01       0.6 m
Tue   04:33        4.6 m    10:46       0.4 m
Wed   05:16        4.7 m    11:30       0.3 m   spring tide → the slipway is under water
`;

const LE_PHARE = `Le phare de Portholm (texte en ISO-8859-1)

Le phare se dresse à quarante et un mètres au-dessus de la mer. Chaque nuit, le gardien allume la lampe une demi-heure
avant le coucher du soleil. Lorsque la brume descend sur la baie, la corne de brume se fait entendre deux fois par minute.
À marée basse, les enfants ramassent des moules près du vieux hangar à bateaux. Où est la clé ? Sous le géranium.
`;

const MAYAK = `Маяк в Портхольме (текст в кодировке windows-1251)

Маяк стоит на высокой скале над морем. Каждую ночь смотритель зажигает лампу, и луч света виден за девятнадцать миль.
В туман звучит сирена, и паром ждёт за волноломом, пока не станет видно берег.
`;

const TOUDAI = `ポートホルムの灯台(このテキストはシフトJISです)

灯台は海の上、四十一メートルの高さに立っています。毎晩、灯台守は日没の三十分前に明かりをともします。
霧の日には霧笛が一分間に二回鳴り、フェリーは防波堤の内側で待ちます。
`;

const STATIONS = {
  harbour: 'Portholm',
  measured: '2025-11-03T12:00:00Z',
  stations: [
    { id: 'gannet-point', kind: 'lighthouse', height_m: 41, flash_s: 7, range_nm: 19 },
    { id: 'north-head', kind: 'bell buoy', height_m: 3, flash_s: null, range_nm: 2 },
    {
      id: 'skerry-rock',
      kind: 'beacon',
      height_m: 9,
      flash_s: 4,
      range_nm: 8,
      note: 'solar panel cleaned by the tender',
    },
  ],
  fog_hours: Object.fromEntries(TRAFFIC.map(([month, , , hours]) => [month.toLowerCase(), hours])),
};

const BUOYS = `<?xml version="1.0" encoding="UTF-8"?>
<buoys harbour="Portholm" year="2025">
  <buoy id="P1" colour="red" shape="can">
    <position latitude="57.7051" longitude="-6.2871"/>
    <remark>Port side of the fairway to the ferry berth</remark>
  </buoy>
  <buoy id="P2" colour="green" shape="cone">
    <position latitude="57.7048" longitude="-6.2839"/>
    <remark>Starboard side; a cormorant lives on it</remark>
  </buoy>
  <buoy id="P3" colour="yellow" shape="pillar">
    <position latitude="57.7102" longitude="-6.2790"/>
    <remark>Measures waves &amp; temperature for the lighthouse</remark>
  </buoy>
</buoys>
`;

const FLASH_INTERVAL = `"""How far away is the lighthouse? Counts the seconds between the flash and the foghorn."""

SPEED_OF_SOUND = 331.3  # metres per second at 0 degrees Celsius


def distance(seconds: float, temperature: float = 7.0) -> float:
    """Nautical miles between the observer and the foghorn."""
    return seconds * (SPEED_OF_SOUND + 0.606 * temperature) / 1852


if __name__ == "__main__":
    for seconds in (5, 10, 20):
        print(f"{seconds:>3} s  {distance(seconds):.2f} nm")
`;
