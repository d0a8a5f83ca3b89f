/** The file is writable but must not be written: another agent writes it, or it has hard links. */
export class NotOurs extends Error {}

export class HeldByAnother extends NotOurs {
  constructor() {
    super('already written by another agent');
  }
}

/** Thrown even if the other agent is not running, because our block would replace its accounts. */
export class ForeignBlock extends NotOurs {
  constructor(instance: string) {
    super(
      `holds the block of another agent, instance ${instance}: remove that block, or start with that agent's folder`,
    );
  }
}

export class HardLinked extends NotOurs {
  constructor(names: bigint) {
    super(
      `has ${names} names, hard links. Each write replaces the file under this name alone, so the ` +
        'others would never change again. Remove them, or make each a symbolic link',
    );
  }
}
