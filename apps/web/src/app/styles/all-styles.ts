// Style sheets of every screen except the sign-in page. Mantine's rules lie in a layer, so the product's rules always
// win.
import '@mantine/core/styles.layer.css'
import '@mantine/dates/styles.layer.css'
import './controls.css'
