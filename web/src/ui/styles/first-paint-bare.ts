// The styles of a page that uses none of the library's components.
import '@mantine/core/styles/baseline.layer.css'
import './tokens.css'
import './fonts.css'
import './page.css'
