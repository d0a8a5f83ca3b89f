/** An icon that the element itself draws: `data-icon`, in the look of icons.css. */
export type DrawnIcon =
  | 'copy'
  | 'check'
  | 'eye'
  | 'eye-off'
  | 'ellipsis-vertical'
  | 'calendar'
  | 'calendar-clock'
  | 'calendar-x-2'
  | 'clock-alert';
