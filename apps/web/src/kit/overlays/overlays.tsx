import MuiDialog from '@mui/material/Dialog';
import MuiDrawer from '@mui/material/Drawer';
import MuiMenu from '@mui/material/Menu';
import MuiPopover from '@mui/material/Popover';
import { themed } from '#kit/theme/app-theme.tsx';

// Dialogs and menus come with the library's theme. A page alone needs neither, so both are fetched
// when the first overlay is likely to open.
export const Dialog = themed(MuiDialog);
export const Drawer = themed(MuiDrawer);
export const Menu = themed(MuiMenu);
export const Popover = themed(MuiPopover);
