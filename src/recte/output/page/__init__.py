"""The report: one self-contained HTML page, its data laid out once and rendered where it is seen.

`explorer` lays the sentences out as one compact JSON. The scripts in `assets/` unpack it and render the sentence that
is looked at; they are joined into one function, since a page opened from disk can import nothing. Text from files
reaches the page as compressed JSON, as JSON with `<` escaped, or through Jinja2's autoescape, and scripts set text,
never markup. Charts are Vega-Lite specifications, drawn in the page by Vega, which is part of the page.
"""
