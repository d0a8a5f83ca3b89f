/** The file must not be written: another agent writes it, or replacing it would part it from its readers. */
export class Unwritable extends Error {}

export class HeldByAnother extends Unwritable {
  constructor() {
    super('already written by another agent');
  }
}

/** Thrown even if the other agent is not running, because our block would replace its accounts. */
export class ForeignBlock extends Unwritable {
  constructor(instance: string) {
    super(
      `holds the block of another agent, instance ${instance}: remove that block, or start with that agent's folder`,
    );
  }
}

/** OSCam drops the block's marks when it saves; the lock beside the file still says whose it was. */
export class ForeignRows extends Unwritable {
  constructor(instance: string, lockName: string) {
    super(
      `has another agent's rows, instance ${instance}…: start with its folder, or remove ${lockName}`,
    );
  }
}

/**
 * Thrown for a file that is mounted alone, as into a container. Even if the rename is not refused, its readers would
 * keep the old file.
 */
export class MountedAlone extends Unwritable {
  constructor() {
    super('is mounted on its own and cannot be replaced: mount the folder that holds it instead');
  }
}

export class HardLinked extends Unwritable {
  constructor(names: bigint) {
    super(
      `has ${names} names, hard links. Each write replaces the file under this name alone, so the ` +
        'others would never change again. Remove them, or make each a symbolic link',
    );
  }
}
