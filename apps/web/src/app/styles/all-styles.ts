// Style sheets for all screens except sign-in. Mantine's rules are in a layer, so the product's rules always win.
import '@mantine/core/styles.layer.css'
import '@mantine/dates/styles.layer.css'
import './controls.css'
