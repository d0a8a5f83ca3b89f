/** The file must not be written: another agent writes it, or replacing it would part it from its readers. */
export class Unwritable extends Error {}

export class HeldByAnother extends Unwritable {
  override message = 'already written by another agent';
}

/** Thrown even if the other agent is not running, because our block would replace its accounts. */
export class ForeignBlock extends Unwritable {
  constructor(instance: string) {
    super(
      `holds the block of another agent, instance ${instance}: remove that block, or start with that agent's folder`,
    );
  }
}

/**
 * Thrown for a file that is mounted alone, as into a container. Even if the rename is not refused, its readers would
 * keep the old file.
 */
export class MountedAlone extends Unwritable {
  override message =
    'is mounted on its own and cannot be replaced: mount the folder that holds it instead';
}
