/// <reference types="vitepress/client" />
import DefaultTheme from 'vitepress/theme-without-fonts';
import '../../../apps/web/src/kit/theme/tokens.css';
import './style.css';

export default DefaultTheme;
