import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { Failure } from "../src/server/failure";
import { find } from "../src/server/find";
import type { SearchEnvironment } from "../src/server/find";
import { isOutside } from "../src/server/programs";

/** A fake machine with these programs, each mapped to the version it prints or the error it raises. */
function machine(
  programs: Record<string, string | Error>,
  more: Partial<SearchEnvironment> = {},
): SearchEnvironment {
  return {
    configured: [],
    trusted: true,
    windows: false,
    path: "/usr/bin:/home/me/bin",
    folders: ["/repo"],
    real: (path) => Promise.resolve(path),
    interpreter: () => Promise.resolve(undefined),
    privateProgram: "/storage/server/bin/sightline",
    exists: (file) => Promise.resolve(file in programs),
    version: (command) => {
      const said = programs[command];
      return typeof said === "string"
        ? Promise.resolve(said)
        : Promise.reject(said ?? new Error("no such program"));
    },
    log: () => undefined,
    ...more,
  };
}

const VENV = "/repo/.venv/bin/sightline";
const interpreter = () => Promise.resolve("/repo/.venv/bin/python");

async function failure(around: SearchEnvironment): Promise<Failure> {
  try {
    await find(around);
  } catch (error) {
    assert.ok(error instanceof Failure);
    return error;
  }
  throw new Error("a server was found");
}

const everywhere = {
  [VENV]: "0.1.1",
  "/usr/bin/sightline": "0.1.2",
  "/home/me/bin/sightline": "0.1.3",
  "/storage/server/bin/sightline": "0.1.4",
};

describe("finding the server", () => {
  const cases: [string, SearchEnvironment, string][] = [
    ["the selected interpreter before the PATH", machine(everywhere, { interpreter }), "0.1.1"],
    ["the PATH in its order", machine(everywhere), "0.1.2"],
    [
      "not the interpreter of an untrusted workspace",
      machine(everywhere, { interpreter, trusted: false }),
      "0.1.2",
    ],
    ["the private one at last", machine(everywhere, { path: "" }), "0.1.4"],
    [
      "nothing by a relative entry of the PATH",
      machine(
        { ...everywhere, "bin/sightline": "0.1.9", sightline: "0.1.9" },
        { path: "bin:.::/home/me/bin" },
      ),
      "0.1.3",
    ],
    [
      "nothing of a folder of the workspace by the PATH, trusted or not",
      machine(
        { ...everywhere, "/repo/bin/sightline": "0.1.9", "/repo/sightline": "0.1.9" },
        { path: "/repo/bin:/repo:/home/me/bin" },
      ),
      "0.1.3",
    ],
    [
      "nothing that a link of the PATH has in the workspace",
      machine(everywhere, {
        real: (path) => Promise.resolve(path.replace("/usr/bin", "/repo/.venv/bin")),
      }),
      "0.1.3",
    ],
    [
      "a folder whose name begins as the workspace's",
      machine({ "/repository/bin/sightline": "0.1.5" }, { path: "/repository/bin" }),
      "0.1.5",
    ],
    [
      "the setting's program in the workspace",
      machine({ [VENV]: "0.1.1" }, { configured: [VENV] }),
      "0.1.1",
    ],
    [
      "one that fits after one that does not",
      machine({ ...everywhere, "/usr/bin/sightline": "0.0.1" }),
      "0.1.3",
    ],
    [
      "one that works after a broken one",
      machine({ ...everywhere, "/usr/bin/sightline": new Error("bad") }),
      "0.1.3",
    ],
    [
      "the setting before all",
      machine({ ...everywhere, "/my/server": "0.1.7" }, { configured: ["/my/server", "-x"] }),
      "0.1.7",
    ],
  ];
  for (const [name, around, version] of cases) {
    it(name, async () => {
      assert.equal((await find(around)).version, version);
    });
  }

  it("passes the setting's arguments on", async () => {
    const programs = { "/repo/bin/python": "0.1.9", "/usr/bin/python": "0.1.0" };
    const path = "bin:/repo/bin:/usr/bin";
    const found = await find(machine(programs, { path, configured: ["python", "-m", "x"] }));
    assert.deepEqual([found.command, found.args], ["/usr/bin/python", ["-m", "x"]]);
  });

  it("offers to set one up where there is none", async () => {
    const { message, buttons } = await failure(machine({}));
    assert.match(message, /not installed/);
    assert.equal(buttons[0]?.command, "sightline.ui.setUp");
  });

  it("does not go on past a setting that does not work", async () => {
    const around = machine(everywhere, { configured: ["/gone"] });
    const { message, buttons } = await failure(around);
    assert.match(message, /sightline\.server\.command could not be started/);
    assert.deepEqual(buttons[0]?.args, ["sightline.server.command"]);
  });

  it("does not take a bare name for a program of the workspace", async () => {
    const around = machine({ "/repo/bin/mine": "0.1.0", mine: "0.1.0" }, { configured: ["mine"] });
    const { message } = await failure({ ...around, path: "/repo/bin:." });
    assert.match(message, /no program mine on the PATH outside the workspace/);
  });

  it("says which side is too old", async () => {
    const old = await failure(machine({ "/usr/bin/sightline": "0.0.9" }));
    assert.match(old.message, /version 0\.0\.9, which is too old/);
    const young = await failure(machine({ "/usr/bin/sightline": "9.0.0" }));
    assert.match(young.message, /version 9\.0\.0, which is newer .* Update the extension/);
  });
});

it("a program is inside a folder by its path and by what it links to", async () => {
  const base = mkdtempSync(join(tmpdir(), "sightline-programs-"));
  try {
    for (const folder of ["repo/bin", "repo-2/bin", "out"]) {
      mkdirSync(join(base, folder), { recursive: true });
      writeFileSync(join(base, folder, "program"), "");
    }
    symlinkSync(join(base, "repo/bin/program"), join(base, "out/linked"));
    symlinkSync(join(base, "repo/bin"), join(base, "bin"));
    symlinkSync(join(base, "out/program"), join(base, "repo/bin/away"));
    symlinkSync(join(base, "repo"), join(base, "opened"));
    for (const [program, expected] of [
      ["repo/bin/program", false],
      ["bin/program", false],
      ["out/linked", false],
      ["repo/bin/away", false],
      ["repo/bin/missing", false],
      ["repo-2/bin/program", true],
      ["out/program", true],
    ] as const) {
      for (const folder of ["repo", "opened"]) {
        const found = await isOutside(join(base, program), [join(base, folder)]);
        assert.equal(found, expected, `${program} in ${folder}`);
      }
    }
  } finally {
    rmSync(base, { recursive: true });
  }
});
