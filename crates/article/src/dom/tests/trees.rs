use super::*;

#[test]
fn elements_nest() {
    check("<div><p>a</p><p>b <b>c</b> d</p></div>", "div(p('a') p('b ' b('c') ' d'))");
    check("a<br>b<img>c", "'a' br 'b' img 'c'");
    check("<x-y>a</x-y>b", "x-y('a') 'b'");
}

#[test]
fn html_head_and_body_are_implied() {
    let document = Document::parse("<title>t</title><p>a");
    assert_eq!(document.first(Tag::Head).map(|head| document.text_of(head)), Some("t".to_owned()));
    check("<html lang=ja><head><meta></head><body class=x><p>a</body></html> b", "p('a' ' b')");
    let document = Document::parse("<p>a<html lang=ja><body class=x>");
    assert_eq!(document.raw_attribute(document.first(Tag::Html).unwrap(), "lang"), Some("ja"));
    assert_eq!(document.raw_attribute(document.first(Tag::Body).unwrap(), "class"), Some("x"));
    let document = Document::parse("<head><noscript><img></noscript><title>t</title></head><p>a");
    assert_eq!(document.parent(document.first(Tag::Title).unwrap()), document.first(Tag::Head));
}

#[test]
fn end_tags_are_implied() {
    check("<p>a<p>b<div>c", "p('a') p('b') div('c')");
    check("<ul><li>a<li>b<ul><li>c</ul><li>d</ul>e", "ul(li('a') li('b' ul(li('c'))) li('d')) 'e'");
    check("<dl><dt>a<dd>b<dt>c</dl>", "dl(dt('a') dd('b') dt('c'))");
    check("<h2>a<h3>b</h2>c", "h2('a') h3('b') 'c'");
    check("<select><option>a<option>b</select>", "select(option('a') option('b'))");
    check("<ruby>a<rp>(<rt>b<rp>)</ruby>", "ruby('a' rp('(') rt('b') rp(')'))");
    check("<button>a<button>b", "button('a') button('b')");
    check("<p>a<button><p>b</button>c", "p('a' button(p('b')) 'c')");
}

#[test]
fn tables_have_rows_and_sections() {
    check("<table><tr><td>a<td>b<tr><th>c</table>d", "table(tbody(tr(td('a') td('b')) tr(th('c')))) 'd'");
    check("<table><td>a<tbody><tr><td>b</table>", "table(tbody(tr(td('a'))) tbody(tr(td('b'))))");
    check("<table><caption>a<thead><tr><th>b</table>", "table(caption('a') thead(tr(th('b'))))");
    check("<div><table><tr><td>a</div>b</table>c</div>", "div(table(tbody(tr(td('a' 'b')))) 'c')");
    check("<table><tr><td><table><tr><td>a</table>b", "table(tbody(tr(td(table(tbody(tr(td('a')))) 'b'))))");
    check("<tr><td>a", "'a'");
}

#[test]
fn wrong_end_tags_are_ignored() {
    check("<div>a</p></span></li>b</div>c", "div('a' 'b') 'c'");
    check("<div><span>a</div>b", "div(span('a')) 'b'");
    check("<form><div>a</form>b</div>c", "form(div('a' 'b')) 'c'");
    check("<form><form>a</form>b", "form('a') 'b'");
}

#[test]
fn misnested_links_do_not_swallow_blocks() {
    check("<a><div>a</a>b</div>c", "a div(a('a') 'b') 'c'");
    check("<a>a<div><p>b</a>c</div>d", "a('a') div(a p(a('b') 'c')) 'd'");
    check("<a>a<a>b</a>c", "a('a') a('b') 'c'");
    check("<b><i>a</b>b</i>c", "b(i('a')) 'b' 'c'");
}

#[test]
fn raw_text_is_not_markup() {
    check("<body><script>a<b></script>c", "script('a<b>') 'c'");
    check("<textarea>a<b>&amp;</textarea>c", "textarea('a<b>&') 'c'");
    check("<body><style>a", "style 'a'");
    check("<iframe><p>a</iframe>b", "iframe 'b'");
    check("<body><noscript><img></noscript>a", "noscript(img) 'a'");
}

#[test]
fn svg_and_math_have_their_own_rules() {
    check("<p><svg><path/><g><text>a</text></g></svg>b", "p(svg(path g(text('a'))) 'b')");
    check("<svg><g><p>a", "svg(g) p('a')");
    check("<svg><foreignObject><p>a</p></foreignObject></svg>b", "svg(foreignobject(p('a'))) 'b'");
    check("<math><mi>x</mi><mo>=</mo></math>", "math(mi('x') mo('='))");
}

#[test]
fn space_at_the_edge_of_blocks_is_dropped() {
    check("<div> <p>a</p> <p>b</p>\n</div>", "div(p('a') p('b'))");
    check("<p><b>a</b> <b>b</b></p>", "p(b('a') ' ' b('b'))");
    check("<pre> <b>a</b></pre>", "pre(' ' b('a'))");
}

#[test]
fn references_are_decoded() {
    check("<p>&#x65E5;&#26412; &amp;lt;", "p('日本 &lt;')");
    let document = Document::parse("<a href='?a=1&amp;b=2&copy=3'>");
    assert_eq!(document.attribute(document.first(Tag::A).unwrap(), "HREF").unwrap(), "?a=1&b=2&copy=3");
}

#[test]
fn text_is_folded() {
    let document = Document::parse("<p> a \n b<br>c<script>x</script><p>d&nbsp;<b>e</b>f\u{3000}g");
    assert_eq!(document.text_of(NodeId::ROOT), "a b c d ef\u{3000}g");
}

#[test]
fn deep_pages_stay_shallow() {
    for html in ["<div>", "<b><i>", "<table><tr><td>", "<p><a><div>", "<ul><li>", "<svg><g>", "<x>", "<a><b><div></a>"]
    {
        let page = html.repeat(5_000) + "text";
        let document = Document::parse(&page);
        let text = document.nodes().filter(|id| document.tag(*id) == Tag::Text).count();
        assert_eq!(text, 1, "{html}");
        let depth = document.nodes().map(|id| document.ancestors(id).count()).max();
        assert!(depth < Some(2000), "{html}: {depth:?}");
    }
    let page = format!("<div>{}a{}b</div>c", "<div>".repeat(1000), "</div>".repeat(1000));
    let document = Document::parse(&page);
    let parents: Vec<usize> = { document.nodes() }
        .filter(|id| document.tag(*id) == Tag::Text)
        .map(|id| document.ancestors(id).count())
        .collect();
    assert_eq!(parents, [256, 4, 3], "end tags of deep elements close nothing");
}

#[test]
fn the_number_of_nodes_is_limited() {
    let page = "<p>a".repeat(200_000);
    assert!(Document::parse(&page).len() <= 150_001);
}
