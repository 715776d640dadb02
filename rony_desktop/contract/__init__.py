"""What the system says and needs: ports, values, events, errors. No behaviour lives here."""
