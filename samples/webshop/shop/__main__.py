"""Command line: ``python -m shop serve|jobs``."""

import sys
import time
from wsgiref.simple_server import make_server

from shop.app import build
from shop.config import Config


def main(argv: list[str]) -> int:
    config = Config.from_environment()
    shop = build(config)
    command = argv[1] if len(argv) > 1 else "serve"
    if command == "serve":
        with make_server(config.host, config.port, shop.wsgi) as server:
            server.serve_forever()
    elif command == "jobs":
        while True:
            shop.scheduler.run_due(time.time())
            time.sleep(60)
    else:
        print(f"unknown command: {command}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv))
