package markdown

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"followup/internal/protocol"
)

type rendering struct{ name, source, want string }

var texts = []rendering{
	{"nothing", "", ""},
	{"words", "Which one?", "<p>Which one?</p>"},
	{"paragraphs", "a\n\nb", "<p>a</p><p>b</p>"},
	{"line breaks are kept", "a\nb\r\nc\rd", "<p>a<br>b<br>c<br>d</p>"},
	{"a hard break is not doubled", "a  \nb", "<p>a<br>b</p>"},
	{"a backslash at the end of a line is the shell's", "docker run \\\n  x", `<p>docker run \<br>x</p>`},
	{"emphasis", "*a* __b__ ***c***", "<p><em>a</em> <strong>b</strong> <em><strong>c</strong></em></p>"},
	{"names keep their bars", "max_retry_count 2 * 3 * 4", "<p>max_retry_count 2 * 3 * 4</p>"},
	{"strikethrough", "~~a~~ ~b~ ~/.config ~5 ~~~", "<p><del>a</del> ~b~ ~/.config ~5 ~~~</p>"},
	{"code", "`a < b` ``c`d``", "<p><code>a &lt; b</code> <code>c`d</code></p>"},
	{"code keeps its spaces", "`a   b`", "<p><code>a   b</code></p>"},
	{"a fence", "```go\nif a < b {\n\n\treturn\n}\n```", "<pre class=\"md-code\" data-language=\"go\"><code>if a &lt; b {\n\n\treturn\n}</code></pre>"},
	{"a fence with a first empty line", "```\n\na\n```", "<pre class=\"md-code\"><code>\na</code></pre>"},
	{"an unclosed fence", "```\na", `<pre class="md-code"><code>a</code></pre>`},
	{"an empty fence", "~~~a", `<pre class="md-code" data-language="a"><code></code></pre>`},
	{"a fence with more than a language", "```go title=\"a b\"\nx\n```", `<p class="md-info">go title=&#34;a b&#34;</p><pre class="md-code" data-language="go"><code>x</code></pre>`},
	{"an invalid language", "```a&b\nx\n```", `<p class="md-info">a&amp;b</p><pre class="md-code"><code>x</code></pre>`},
	{"languages", "```c++\n```\n```objective-c\n```\n```F#\n```", `<pre class="md-code" data-language="c++"><code></code></pre>` +
		`<pre class="md-code" data-language="objective-c"><code></code></pre><pre class="md-code" data-language="F#"><code></code></pre>`},
	{"indented code", "a\n\n    b\n      c\n\nd", "<p>a</p><pre class=\"md-code\"><code>b\n  c</code></pre><p>d</p>"},
	{"a heading is not a page heading", "# a #\n###### *b*\ntext", `<p class="md-heading">a</p><p class="md-heading"><em>b</em></p><p>text</p>`},
	{"not a heading", "#\n#a\n####### b\n## ##", "<p>#<br>#a<br>####### b<br>## ##</p>"},
	{"underlines make no heading", "a\n===\nb\n---\nc", "<p>a<br>===<br>b</p><hr><p>c</p>"},
	{"quotes", "> a\n> > b\nc", "<blockquote><p>a</p><blockquote><p>b<br>c</p></blockquote></blockquote>"},
	{"lists", "- a\n  - b\n- c", "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>"},
	{"a loose list", "* a\n\n* b", "<ul><li><p>a</p></li><li><p>b</p></li></ul>"},
	{"boxes of tasks", "- [ ] a\n- [x] b", "<ul><li>[ ] a</li><li>[x] b</li></ul>"},
	{"an ordered list", "1. a\n2) b\n", "<ol><li>a</li></ol><ol class=\"md-numbered\"><li><span class=\"md-marker\">2)</span> b</li></ol>"},
	{"numbers are kept as written", "3. a\n5. b", `<ol class="md-numbered"><li><span class="md-marker">3.</span> a</li><li><span class="md-marker">5.</span> b</li></ol>`},
	{"numbers in a loose list", "0. a\n\n   b\n\n1. > c", `<ol class="md-numbered"><li><p><span class="md-marker">0.</span> a</p><p>b</p></li>` +
		`<li><span class="md-marker">1.</span> <blockquote><p>c</p></blockquote></li></ol>`},
	{"a table", "| a | b | c |\n|---|:-:|--:|\n| 1 | `x\\|y` | \\| |", `<table><thead><tr><th>a</th><th class="md-center">b</th><th class="md-right">c</th></tr></thead>` +
		`<tbody><tr><td>1</td><td class="md-center"><code>x|y</code></td><td class="md-right">|</td></tr></tbody></table>`},
	{"no cell is dropped", "a | b\n--|--\n1 | 2 | 3\n4", `<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody>` +
		`<tr><td>1</td><td>2</td><td>3</td></tr><tr><td>4</td></tr></tbody></table>`},
	{"a table without rows, after words", "x\n|a|\n|-|", "<p>x</p><table><thead><tr><th>a</th></tr></thead></table>"},
	{"not a table", "a | b\n--|--|--\n1 | 2", "<p>a | b<br>--|--|--<br>1 | 2</p>"},
	{"tags are shown", "Should <div class=\"*a*\"> be a <b>**b**</b>?", `<p>Should &lt;div class=&#34;*a*&#34;&gt; be a &lt;b&gt;<strong>b</strong>&lt;/b&gt;?</p>`},
	{"a tag over lines", "a <b\nc=\"*d*\">", `<p>a &lt;b<br>c=&#34;*d*&#34;&gt;</p>`},
	{"comments are shown", "a <!-- *b* -- > --> c", "<p>a &lt;!-- *b* -- &gt; --&gt; c</p>"},
	{"lines of HTML keep their spaces", "<ul>\n  <li>*a*</li>\n</ul>\n\nb", "<pre class=\"md-layout\">&lt;ul&gt;\n  &lt;li&gt;*a*&lt;/li&gt;\n&lt;/ul&gt;</pre><p>b</p>"},
	{"a comment to its last line", "<!--\n\n*a*\n-->\n*b*", "<pre class=\"md-layout\">&lt;!--\n\n*a*\n--&gt;</pre><p><em>b</em></p>"},
	{"prose that begins with a tag", "<table> or <div>: *which*?", "<p>&lt;table&gt; or &lt;div&gt;: <em>which</em>?</p>"},
	{"types", "Map<String, List<*T>> and a<b", "<p>Map&lt;String, List&lt;*T&gt;&gt; and a&lt;b</p>"},
	{"character references are shown", "Is it &nbsp; or &#160;? AT&T &amp; &lt;b&gt;", "<p>Is it &amp;nbsp; or &amp;#160;? AT&amp;T &amp;amp; &amp;lt;b&amp;gt;</p>"},
	{"definitions are shown", "[a]: http://b.example 'c'\n[a] [d][a]", `<p>[a]: <a href="http://b.example">http://b.example</a> &#39;c&#39;<br>[a] [d][a]</p>`},
	{"escapes", `\*a\* \# C:\Users`, `<p>*a* # C:\Users</p>`},
	{"NUL and other controls", "a\x00b\x1b[0m\x7f\u0085\xff", "<p>a\uFFFDb\u241B[0m\u2421\uFFFD\uFFFD</p>"},
	{"letters from right to left", "שלום \u200F(a)\u200E", "<p>שלום \u200F(a)\u200E</p>"},
	{"an isolate", "\u2068a\u2069 \u2066b\u2069 \u2067ג\u2069", `<p><bdi>a</bdi> <bdi dir="ltr">b</bdi> <bdi dir="rtl">ג</bdi></p>`},
	{"isolates that do not end, or contain controls", "\u2068a *\u2069* \u2067\u2066b\u2069\u2069", `<p><span class="md-control">U+2068</span>a <em><span class="md-control">U+2069</span></em> ` +
		`<span class="md-control">U+2067</span><bdi dir="ltr">b</bdi><span class="md-control">U+2069</span></p>`},
	{"an override", "\u202Egpj.exe\u202C", `<p><span class="md-control">U+202E</span>gpj.exe<span class="md-control">U+202C</span></p>`},
	{"controls in code", "`\u2066a\u2069`", `<p><code><span class="md-control">U+2066</span>a<span class="md-control">U+2069</span></code></p>`},
}

var links = []rendering{
	{"a link", "[*a*](https://b.example/c?d=1&e=\"f\")", `<p><a href="https://b.example/c?d=1&amp;e=%22f%22" title="https://b.example/c?d=1&amp;e=&#34;f&#34;"><em>a</em></a></p>`},
	{"a label that is the target", "[https://a.example](https://a.example)", `<p><a href="https://a.example">https://a.example</a></p>`},
	{"a label that is another address", "[https://a.example](HTTPS://b.example)", `<p><a href="https://b.example" title="HTTPS://b.example">https://a.example</a></p>`},
	{"a title", `[a](http://b.example "c  \"d\"")`, `<p><a href="http://b.example" title="http://b.example` + "\n" + `c &#34;d&#34;">a</a></p>`},
	{"no label", "[](http://b.example) [\u200b](http://c.example)", `<p><a href="http://b.example">http://b.example</a> <a href="http://c.example" title="http://c.example"` + ">\u200bhttp://c.example</a></p>"},
	{"mail", "[a](mailto:b@c.example?subject=d%20e) <f@g.example>", `<p><a href="mailto:b@c.example?subject=d%20e" title="mailto:b@c.example?subject=d%20e">a</a> <a href="mailto:f@g.example">f@g.example</a></p>`},
	{"another scheme", "[*a*](ftp://b.example \"c\") [d](./e.md) [f](#g)", `<p>[<em>a</em>](ftp://b.example &#34;c&#34;) [d](./e.md) [f](#g)</p>`},
	{"another scheme, over lines", "[a](x:b\n\"c\")", `<p>[a](x:b<br>&#34;c&#34;)</p>`},
	{"in angle brackets", "<https://a.example/*b*> <std::string> <x:y>", `<p><a href="https://a.example/*b*">https://a.example/*b*</a> &lt;std::string&gt; &lt;x:y&gt;</p>`},
	{"bare", "see http://a.example/b_c_d, (https://e.example/f_(g)). x", `<p>see <a href="http://a.example/b_c_d">http://a.example/b_c_d</a>, (<a href="https://e.example/f_(g)">https://e.example/f_(g)</a>). x</p>`},
	{"bare, in marks", "**https://a.example** \"https://b.example\" 看https://c.example。", `<p><strong><a href="https://a.example">https://a.example</a></strong> &#34;<a href="https://b.example">https://b.example</a>&#34; 看<a href="https://c.example">https://c.example</a>。</p>`},
	{"not bare addresses", "www.a.example b@c.example ftp://d xhttp://e http:// git+https://f", "<p>www.a.example b@c.example ftp://d xhttp://e http:// git+https://f</p>"},
	{"in a label", "[see https://a.example](https://b.example)", `<p><a href="https://b.example" title="https://b.example">see https://a.example</a></p>`},
	{"in brackets", "[https://a.example]", `<p>[<a href="https://a.example">https://a.example</a>]</p>`},
	{"an image", "![a *b*](https://c.example/d.png)", `<p><a href="https://c.example/d.png" title="https://c.example/d.png">a <em>b</em></a></p>`},
	{"an image from elsewhere", "![a](data:b) ![c](d.png)", "<p>![a](data:b) ![c](d.png)</p>"},
	{"an image in a link", "[![a](https://b.example)](https://c.example)", `<p><a href="https://c.example" title="https://c.example"><span class="md-image" title="https://b.example">a</span></a></p>`},
	{"an image in a link, without words", "[![](https://b.example)](https://c.example)", `<p><a href="https://c.example" title="https://c.example"><span class="md-image">https://b.example</span></a></p>`},
	{"a link in an image", "![a [b](http://c.example)](http://d.example)", `<p><a href="http://d.example" title="http://d.example">a [b](http://c.example)</a></p>`},
	{"an address with a user", "[a](https://b.example@c.example)", "<p>[a](https://b.example@c.example)</p>"},
	{"an invalid host", "[a](http://\"b) [c](http://%65)", "<p>[a](http://&#34;b) [c](http://%65)</p>"},
	{"a character reference in an address", "[a](http://b.example/?c&amp;d)", `<p><a href="http://b.example/?c&amp;d" title="http://b.example/?c&amp;d">a</a></p>`},
	{"spaces and other scripts", "[a](<http://b.example/c d/é>)", `<p><a href="http://b.example/c%20d/%C3%A9" title="http://b.example/c d/é">a</a></p>`},
	{"percent-encoding is kept", "<http://a/%2F%26%23%2B?b=%2F%26%23%2B#%2F%26%23%2B> http://a/%2F%26+?%2B [c](http://a/%2f%20%41?d%3D)", `<p><a href="http://a/%2F%26%23%2B?b=%2F%26%23%2B#%2F%26%23%2B">http://a/%2F%26%23%2B?b=%2F%26%23%2B#%2F%26%23%2B</a> ` +
		`<a href="http://a/%2F%26+?%2B">http://a/%2F%26+?%2B</a> <a href="http://a/%2f%20%41?d%3D" title="http://a/%2f%20%41?d%3D">c</a></p>`},
	{"an address that differs from its label", `<http://a/\*b> <http://a/?b&amp;c>`, `<p><a href="http://a/*b" title="http://a/*b">http://a/\*b</a> <a href="http://a/?b&amp;c" title="http://a/?b&amp;c">http://a/?b&amp;amp;c</a></p>`},
	{"controls in a title", "[a](http://b.example \"c\u202Ed\")", `<p><a href="http://b.example" title="http://b.example` + "\ncU+202Ed\"" + `>a</a></p>`},
}

// emphases are cases that CommonMark does not recognise, and cases that must not change.
var emphases = []rendering{
	{"Chinese", "**注意：**请选择", "<p><strong>注意：</strong>请选择</p>"},
	{"Chinese, between words", "请**（务必）**备份，用*“快照”*吧", "<p>请<strong>（务必）</strong>备份，用<em>“快照”</em>吧</p>"},
	{"Chinese, before Latin", "**注意：**this，**警告！**2", "<p><strong>注意：</strong>this，<strong>警告！</strong>2</p>"},
	{"Chinese, code in it", "我可以强调**这个`code`**吗", "<p>我可以强调<strong>这个<code>code</code></strong>吗</p>"},
	{"Chinese, struck", "~~旧值：~~新值", "<p><del>旧值：</del>新值</p>"},
	{"Japanese", "これは**「強調」**です。**はい。**次へ", "<p>これは<strong>「強調」</strong>です。<strong>はい。</strong>次へ</p>"},
	{"Japanese, Latin brackets", "**この文（a sentence）**残念 **b (c)**の", "<p><strong>この文（a sentence）</strong>残念 <strong>b (c)</strong>の</p>"},
	{"Japanese, half as wide", "**ｶﾅ｡**ｶﾅ", "<p><strong>ｶﾅ｡</strong>ｶﾅ</p>"},
	{"Korean", "**이 용어(This term)**를 강조, *'값'*은", "<p><strong>이 용어(This term)</strong>를 강조, <em>&#39;값&#39;</em>은</p>"},
	{"a variant of an ideograph", "葛\U000E0100**(a)**b 逢\uFE00**(c)**d", "<p>葛\U000E0100<strong>(a)</strong>b 逢\uFE00<strong>(c)</strong>d</p>"},
	{"full-width and narrow quotation marks", "*a”\uFE01*b *c”\uFE00*d", "<p><em>a”\uFE01</em>b *c”\uFE00*d</p>"},
	{"no space after it", "**Note:**this **Done.**Next (**Why?**)a ***b!***c", "<p><strong>Note:</strong>this <strong>Done.</strong>Next (<strong>Why?</strong>)a <em><strong>b!</strong></em>c</p>"},
	{"no space after it, code in it", "**Use `x`**or ~~(old)~~new", "<p><strong>Use <code>x</code></strong>or <del>(old)</del>new</p>"},
	{"no space after it, several lines", "- a\n- **b\n  c:**d", "<ul><li>a</li><li><strong>b<br>c:</strong>d</li></ul>"},
	{"emphasis in CommonMark", "2**3**4 a*b*c foo-_(bar)_", "<p>2<strong>3</strong>4 a<em>b</em>c foo-<em>(bar)</em></p>"},
	{"names", "snake_case_name __init__.py _a_b 变量_名称_是 中文__注意：__请", "<p>snake_case_name <strong>init</strong>.py _a_b 变量_名称_是 中文__注意：__请</p>"},
	{"powers", "f(x)**2 + g(x)**2\n\n2**(3)**4\n\nx.**2 + y.**2", "<p>f(x)**2 + g(x)**2</p><p>2**(3)**4</p><p>x.**2 + y.**2</p>"},
	{"arguments", "f(**a,**b) and int **a;**b", "<p>f(**a,**b) and int **a;**b</p>"},
	{"one star", "*a:*b *.c *(d)*e", "<p>*a:*b *.c *(d)*e</p>"},
	{"emoji are no letters", "a**✅b**c", "<p>a**✅b**c</p>"},
	{"spaces", "** 注意：** 请 **注意： **请", "<p>** 注意：** 请 **注意： **请</p>"},
}

func TestText(t *testing.T) {
	for _, test := range slices.Concat(texts, links, emphases) {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, written(Text(test.source))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			check(t, test.source)
		})
	}
}

func TestTooLong(t *testing.T) {
	longest := strings.Repeat("a", MaxBytes)
	if written(Text(longest)) != "<p>"+longest+"</p>" || Preview(longest) == nil {
		t.Error("a text of the maximum length is not rendered")
	}
	if Text(longest+"a") != nil || Preview(longest+"a") != nil {
		t.Error("a text that is too long is rendered")
	}
}

func TestPanicGivesNothing(t *testing.T) {
	if got := guarded("a", func(string) []protocol.MarkdownNode { panic("b") }); got != nil {
		t.Errorf("got %+v", got)
	}
}

// A block with too many marks is not parsed, but the surrounding text is.
func TestHeavyBlock(t *testing.T) {
	got := written(Text("*a*\n\n" + strings.Repeat("*b* ", maxMarks) + "\n\n*c*"))
	want := "<p><em>a</em></p><p>" + strings.TrimSpace(strings.Repeat("*b* ", maxMarks)) + "</p><p><em>c</em></p>"
	if strings.ReplaceAll(got, " </p>", "</p>") != want {
		t.Errorf("got %.200q", got)
	}
}

func TestNestingEnds(t *testing.T) {
	got := written(Text(strings.Repeat("> ", maxNesting+2) + "a"))
	if strings.Count(got, "<blockquote>") != maxNesting || !strings.Contains(got, "<p>&gt; &gt; a</p>") {
		t.Error(got)
	}
	got = written(Text(strings.Repeat("*a ", 2*maxDepth) + strings.Repeat("b* ", 2*maxDepth)))
	if strings.Count(got, "<em>") != maxDepth || strings.Count(got, "*") != 2*maxDepth {
		t.Error(got)
	}
}

// One reader may be used concurrently.
func TestConcurrentUse(t *testing.T) {
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for _, test := range texts {
				if got := written(Text(test.source)); got != test.want {
					t.Errorf("%s: got %q", test.name, got)
				}
			}
		})
	}
	wait.Wait()
}
