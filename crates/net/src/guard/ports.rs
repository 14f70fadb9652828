//! The ports that browsers block: other protocols use them, and could misread an HTTP request as one of theirs.

/// Whether this is a bad port of the Fetch standard (<https://fetch.spec.whatwg.org/#port-blocking>).
pub(crate) fn is_bad(port: u16) -> bool {
    BAD.binary_search(&port).is_ok()
}

/// The standard's table, in order.
pub(crate) const BAD: [u16; 83] = [
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109,
    110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531,
    532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060,
    5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
];
