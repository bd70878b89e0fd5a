import type { Message } from "../store/types.ts";

/** Something that may rewrite a message before it is shown, or answer a slash command. */
export interface Plugin {
  name: string;
  transform?(message: Message): Message;
  commands?: Record<string, (args: string) => string>;
}

const installed: Plugin[] = [];

export function install(plugin: Plugin): void {
  if (installed.some((other) => other.name === plugin.name)) throw new Error(`${plugin.name} is installed already`);
  installed.push(plugin);
}

export function transformed(message: Message): Message {
  return installed.reduce((current, plugin) => plugin.transform?.(current) ?? current, message);
}

/** "/shrug hm" becomes the text the command answers; unknown commands are sent as they are. */
export function expandCommand(text: string): string {
  const match = /^\/(\w+)\s*(.*)$/s.exec(text);
  if (!match) return text;
  for (const plugin of installed) {
    const command = plugin.commands?.[match[1]!];
    if (command) return command(match[2]!);
  }
  return text;
}
