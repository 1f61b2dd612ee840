// The styles that the home page and the blacklist paint first; `ui/more-styles.ts` has those of dialogs and further screens.
// Only components in use are listed: the kit's whole sheet is twice the size. Order matters: what others build on comes first.
import '@mantine/core/styles/baseline.css';
import '@mantine/core/styles/default-css-variables.css';
import '@mantine/core/styles/global.css';
import './global.css';
