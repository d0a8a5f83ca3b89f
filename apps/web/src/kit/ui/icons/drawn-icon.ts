/** The name of an icon that the element itself draws, as its attribute `data-icon` for icons.css. */
export type DrawnIcon = 'copy' | 'check' | 'eye' | 'eye-off' | 'ellipsis-vertical' | 'clock-alert';
