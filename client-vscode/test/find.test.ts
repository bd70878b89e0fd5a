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
function fakeMachine(
  programs: Record<string, string | Error>,
  overrides: Partial<SearchEnvironment> = {},
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
      const output = programs[command];
      return typeof output === "string"
        ? Promise.resolve(output)
        : Promise.reject(output ?? new Error("no such program"));
    },
    log: () => undefined,
    ...overrides,
  };
}

const VENV_SERVER = "/repo/.venv/bin/sightline";
const interpreter = () => Promise.resolve("/repo/.venv/bin/python");

async function failureOf(environment: SearchEnvironment): Promise<Failure> {
  try {
    await find(environment);
  } catch (error) {
    assert.ok(error instanceof Failure);
    return error;
  }
  throw new Error("a server was found");
}

const everyServer = {
  [VENV_SERVER]: "0.1.1",
  "/usr/bin/sightline": "0.1.2",
  "/home/me/bin/sightline": "0.1.3",
  "/storage/server/bin/sightline": "0.1.4",
};

describe("finding the server takes", () => {
  const cases: [string, SearchEnvironment, string][] = [
    [
      "the selected interpreter before the PATH",
      fakeMachine(everyServer, { interpreter }),
      "0.1.1",
    ],
    ["the first on the PATH", fakeMachine(everyServer), "0.1.2"],
    [
      "not the interpreter of an untrusted workspace",
      fakeMachine(everyServer, { interpreter, trusted: false }),
      "0.1.2",
    ],
    ["the private one last", fakeMachine(everyServer, { path: "" }), "0.1.4"],
    [
      "nothing from a relative PATH entry",
      fakeMachine(
        { ...everyServer, "bin/sightline": "0.1.9", sightline: "0.1.9" },
        { path: "bin:.::/home/me/bin" },
      ),
      "0.1.3",
    ],
    [
      "nothing from a PATH entry inside the workspace",
      fakeMachine(
        { ...everyServer, "/repo/bin/sightline": "0.1.9", "/repo/sightline": "0.1.9" },
        { path: "/repo/bin:/repo:/home/me/bin" },
      ),
      "0.1.3",
    ],
    [
      "nothing from a PATH entry that links into the workspace",
      fakeMachine(everyServer, {
        real: (path) => Promise.resolve(path.replace("/usr/bin", "/repo/.venv/bin")),
      }),
      "0.1.3",
    ],
    [
      "one from a folder whose name starts with the workspace's",
      fakeMachine({ "/repository/bin/sightline": "0.1.5" }, { path: "/repository/bin" }),
      "0.1.5",
    ],
    [
      "the setting's program in the workspace",
      fakeMachine({ [VENV_SERVER]: "0.1.1" }, { configured: [VENV_SERVER] }),
      "0.1.1",
    ],
    [
      "a supported version after an unsupported one",
      fakeMachine({ ...everyServer, "/usr/bin/sightline": "0.0.1" }),
      "0.1.3",
    ],
    [
      "a working program after a broken one",
      fakeMachine({ ...everyServer, "/usr/bin/sightline": new Error("bad") }),
      "0.1.3",
    ],
    [
      "the setting's program before all others",
      fakeMachine({ ...everyServer, "/my/server": "0.1.7" }, { configured: ["/my/server", "-x"] }),
      "0.1.7",
    ],
  ];
  for (const [name, environment, version] of cases) {
    it(name, async () => {
      assert.equal((await find(environment)).version, version);
    });
  }

  it("the setting's arguments along with its program", async () => {
    const programs = { "/repo/bin/python": "0.1.9", "/usr/bin/python": "0.1.0" };
    const path = "bin:/repo/bin:/usr/bin";
    const found = await find(fakeMachine(programs, { path, configured: ["python", "-m", "x"] }));
    assert.deepEqual([found.command, found.args], ["/usr/bin/python", ["-m", "x"]]);
  });

  it("none, and then offers to set one up", async () => {
    const { message, buttons } = await failureOf(fakeMachine({}));
    assert.match(message, /not installed/);
    assert.equal(buttons[0]?.command, "sightline.ui.setUp");
  });

  it("no other program if the setting's fails", async () => {
    const environment = fakeMachine(everyServer, { configured: ["/gone"] });
    const { message, buttons } = await failureOf(environment);
    assert.match(message, /sightline\.server\.command could not be started/);
    assert.deepEqual(buttons[0]?.args, ["sightline.server.command"]);
  });

  it("no program of the workspace for a bare name", async () => {
    const environment = fakeMachine(
      { "/repo/bin/mine": "0.1.0", mine: "0.1.0" },
      { configured: ["mine"] },
    );
    const { message } = await failureOf({ ...environment, path: "/repo/bin:." });
    assert.match(message, /no program mine on the PATH outside the workspace/);
  });

  it("no unsupported version, and says which side is too old", async () => {
    const old = await failureOf(fakeMachine({ "/usr/bin/sightline": "0.0.9" }));
    assert.match(old.message, /version 0\.0\.9, which is too old/);
    const newer = await failureOf(fakeMachine({ "/usr/bin/sightline": "9.0.0" }));
    assert.match(newer.message, /version 9\.0\.0, which is newer .* Update the extension/);
  });
});

it("a program is inside a folder if its path or its link target is", async () => {
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
