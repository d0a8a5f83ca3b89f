// Timers set up with version 1.0.0 start this file.
import './commands/backup.ts';
