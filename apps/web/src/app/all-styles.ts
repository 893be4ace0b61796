// Everything a screen behind the first page may need. Mantine's rules live in a layer, so ours always win.
import '@mantine/core/styles.layer.css'
import '@mantine/dates/styles.layer.css'
import './controls.css'
