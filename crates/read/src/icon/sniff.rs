//! The type of an image by its first bytes: servers label error pages as icons.

/// The root element of an SVG must begin within these bytes.
const SVG_WINDOW_BYTES: usize = 4_096;

/// The media type of an icon, or `None` if the bytes are not one.
pub fn image_type(bytes: &[u8]) -> Option<&'static str> {
    Some(match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] if bytes.len() >= 24 => "image/png",
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', _, _, ..] => "image/gif",
        [0xff, 0xd8, 0xff, ..] => "image/jpeg",
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => "image/webp",
        [_, _, _, _, b'f', b't', b'y', b'p', b'a', b'v', b'i', b'f' | b's', ..] => "image/avif",
        // The count of images must be at least one.
        [0, 0, 1, 0, count, _, ..] if *count > 0 && bytes.len() > 22 => "image/x-icon",
        _ if is_svg(bytes) => "image/svg+xml",
        _ => return None,
    })
}

/// Whether it is an SVG without scripts. Icons are also served with headers that prevent scripts.
fn is_svg(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let window = &text[..text.floor_char_boundary(SVG_WINDOW_BYTES)];
    let Some(root) = root_of(window) else { return false };
    let is_drawing = root.len() > 4 && root.is_char_boundary(4) && root[..4].eq_ignore_ascii_case("<svg");
    let lower = text.to_ascii_lowercase();
    is_drawing && ["<script", "<foreignobject", "<!entity", "javascript:"].iter().all(|bad| !lower.contains(bad))
}

/// The text after declarations and comments.
fn root_of(mut text: &str) -> Option<&str> {
    loop {
        text = text.trim_start();
        let end = match text {
            _ if text.starts_with("<?") => "?>",
            _ if text.starts_with("<!--") => "-->",
            _ if text.starts_with("<!") => ">",
            _ => return Some(text),
        };
        text = text.split_once(end)?.1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x20\0\0\0\x20";

    #[test]
    fn images_are_recognised_by_their_first_bytes() {
        let ico = [&[0, 0, 1, 0, 1, 0, 16, 16][..], &[0; 40]].concat();
        let cases: [(&[u8], &str); 8] = [
            (PNG, "image/png"),
            (b"GIF89a\x10\0\x10\0", "image/gif"),
            (b"\xff\xd8\xff\xe0rest", "image/jpeg"),
            (b"RIFF\x10\0\0\0WEBPVP8 ", "image/webp"),
            (b"\0\0\0\x1cftypavif\0\0\0\0", "image/avif"),
            (&ico, "image/x-icon"),
            (b"<svg xmlns='http://www.w3.org/2000/svg'></svg>", "image/svg+xml"),
            (b"\xef\xbb\xbf<?xml version='1.0'?><!-- a --><!DOCTYPE svg><SVG width='1'/>", "image/svg+xml"),
        ];
        for (bytes, mime) in cases {
            assert_eq!(image_type(bytes), Some(mime), "{bytes:?}");
        }
    }

    #[test]
    fn other_bytes_are_not_icons() {
        let empty_ico = [0, 0, 1, 0, 0, 0, 16, 16];
        let cases: [&[u8]; 8] = [
            b"",
            b"<!doctype html><html><svg></svg></html>",
            b"not found",
            b"\x89PNG\r\n\x1a\n",
            &empty_ico,
            b"<svg><script>alert(1)</script></svg>",
            b"<!DOCTYPE svg [<!ENTITY a 'b'>]><svg>&a;</svg>",
            b"<svg><a href='JavaScript:alert(1)'/></svg>",
        ];
        for bytes in cases {
            assert_eq!(image_type(bytes), None, "{bytes:?}");
        }
    }
}
