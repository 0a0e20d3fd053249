package dev.ratelimit.web.servlet;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.web.Form;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.mock.web.DelegatingServletInputStream;
import org.springframework.mock.web.MockHttpServletRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ServletFormsTests {

	private static final String FORM = "name=al%C3%AFce+b&name=bob&empty&x=";

	private long seconds;

	private final ServletForms forms = new ServletForms(4, new FormSize(100, 5),
			() -> TimeUnit.SECONDS.toNanos(this.seconds));

	@Test
	void laterReaderFindsFormFieldsAfterQueryParameters() throws IOException {
		MockHttpServletRequest request = request(FORM, 0);
		request.setParameter("name", "query");
		request.setParameter("q", "1");
		ServletForms.Content read = read(request);
		assertThat(values(read, "name")).hasValue(List.of("query", "al\u00efce b", "bob"));
		HttpServletRequest forHandler = read.forHandler();
		assertThat(forHandler.getParameter("name")).isEqualTo("query");
		assertThat(forHandler.getParameterValues("name")).containsExactly("query", "al\u00efce b", "bob");
		assertThat(forHandler.getParameter("empty")).isEmpty();
		assertThat(forHandler.getParameter("none")).isNull();
		assertThat(forHandler.getParameterValues("none")).isNull();
		assertThat(Collections.list(forHandler.getParameterNames())).containsExactly("name", "q", "empty", "x");
		assertThat(forHandler.getParameterMap()).containsOnlyKeys("name", "q", "empty", "x");
		assertThat(forHandler.getInputStream().readAllBytes()).asString(StandardCharsets.UTF_8).isEqualTo(FORM);
	}

	@Test
	void laterReaderCanReadTheFormAsText() throws IOException {
		try (BufferedReader reader = read(request(FORM, 0)).forHandler().getReader()) {
			assertThat(reader.readLine()).isEqualTo(FORM);
		}
	}

	@Test
	void slowFormIsLeftToTheLaterReader() {
		ServletForms.Content read = read(request(FORM, 1));
		assertThat(this.seconds).isEqualTo(5);
		assertThat(values(read, "name")).isEmpty();
		assertThat(read.forHandler().getParameterValues("name")).containsExactly("al\u00efce b", "bob");
		assertThat(this.seconds).isGreaterThan(5);
	}

	@Test
	void laterReaderCanReadTheRestAsBytes() throws IOException {
		HttpServletRequest forHandler = read(request(FORM, 1)).forHandler();
		assertThat(forHandler.getInputStream().readAllBytes()).asString(StandardCharsets.UTF_8).isEqualTo(FORM);
		assertThat(forHandler.getParameter("name")).as("no part of a value").isNull();
	}

	@Test
	void oversizedFormIsLeftToTheLaterReader() throws IOException {
		String large = "name=" + "a".repeat(100);
		assertThat(values(read(request(large, 0)), "name")).isEmpty();
		assertThatExceptionOfType(UnreadableFormException.class)
			.isThrownBy(() -> read(request(large, 0)).forHandler().getParameter("name"))
			.matches((ex) -> ex.status() == 413);
		assertThat(read(request(large, 0)).forHandler().getInputStream().readAllBytes()).hasSize(105);
		MockHttpServletRequest announced = announced(large);
		assertThat(read(announced).forHandler()).isSameAs(announced);
		assertThat(values(read(announced), "name")).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "a=%zz", "a&b&c&d&e&f" })
	void invalidFormIsRejected(String content) {
		assertThatExceptionOfType(UnreadableFormException.class).isThrownBy(() -> read(request(content, 0)));
	}

	@Test
	void aFormThatEndsTooSoonIsToldSo() {
		MockHttpServletRequest cut = new MockHttpServletRequest("POST", "/") {

			@Override
			public ServletInputStream getInputStream() {
				return new DelegatingServletInputStream(new InputStream() {

					@Override
					public int read() throws IOException {
						throw new IOException("cut off");
					}

				});
			}

		};
		cut.setContentType("application/x-www-form-urlencoded");
		assertThatExceptionOfType(UnreadableFormException.class).isThrownBy(() -> read(cut));
	}

	@Test
	void formReadByTheServerIsUnchanged() {
		MockHttpServletRequest request = request("", 0);
		request.setParameter("name", "alice");
		assertThat(values(read(request), "name")).hasValue(List.of("alice"));
		assertThat(read(request).forHandler()).isSameAs(request);
	}

	@Test
	void noFieldIsFoundTwiceIfAFilterInFrontLetsTheFormBeReadAgain() throws IOException {
		HttpServletRequest again = new HttpServletRequestWrapper(announced("name=alice")) {

			@Override
			public Map<String, String[]> getParameterMap() {
				return Map.of("name", new String[] { "alice" });
			}

			@Override
			public String[] getParameterValues(String name) {
				return getParameterMap().get(name);
			}

		};
		ServletForms.Content first = read(again);
		assertThat(values(first, "name")).hasValue(List.of("alice"));
		assertThat(first.forHandler().getParameterValues("name")).containsExactly("alice");
		assertThat(first.forHandler().getInputStream().readAllBytes()).hasSize(10);
		assertThat(read(again).forHandler()).as("all is read").isSameAs(again);
	}

	@Test
	void aFormThatIsReadTwiceKeepsItsBytes() throws IOException {
		HttpServletRequest own = read(request("name=alice", 0)).forHandler();
		HttpServletRequest twice = read(own).forHandler();
		assertThat(twice.getParameterValues("name")).containsExactly("alice");
		assertThat(twice.getInputStream().readAllBytes()).hasSize(10);
		HttpServletRequest empty = read(request("&", 0)).forHandler();
		assertThat(empty.getInputStream().readAllBytes()).hasSize(1);
	}

	@Test
	void partsAreNotReadAndOtherContentHasNoFields() {
		for (String type : List.of("multipart/form-data; boundary=x", "Multipart/Mixed")) {
			MockHttpServletRequest parts = announced("x");
			parts.setContentType(type);
			assertThat(read(parts).form()).as(type).isSameAs(Form.UNREAD);
		}
		MockHttpServletRequest json = announced("{}");
		json.setContentType("application/json");
		assertThat(read(json).form()).isSameAs(Form.NOTHING);
		assertThat(read(new MockHttpServletRequest("POST", "/")).form()).isSameAs(Form.NOTHING);
	}

	@Test
	void placesAreGivenBackAndVirtualThreadsNeedNone() {
		whileAFormIsRead(this.forms, () -> {
			assertThat(values(read(request(FORM, 0)), "x")).as("one client has one of four").isEmpty();
			assertThat(values(this.forms.read(request(FORM, 0), "b", true), "x")).isPresent();
			assertThat(values(this.forms.read(request(FORM, 0), "a", false), "x")).isPresent();
		});
		assertThat(values(read(request(FORM, 0)), "x")).isPresent();
	}

	@Test
	void aSmallFormThatHasArrivedNeedsNoPlace() {
		ServletForms large = new ServletForms(1, new FormSize(100_000, 5), () -> 0);
		String small = "x=" + "a".repeat(8190);
		whileAFormIsRead(large, () -> {
			assertThat(values(large.read(arrived(small, 8192), "a", true), "x")).isPresent();
			assertThat(values(large.read(arrived(small + "a", 8193), "a", true), "x")).isEmpty();
		});
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 12 })
	void whatHasArrivedOfAFormWithoutAPlaceIsLeftToTheLaterReader(int arrived) {
		whileAFormIsRead(this.forms, () -> {
			ServletForms.Content read = read(arrived(FORM, arrived));
			assertThat(values(read, "x")).isEmpty();
			assertThat(read.forHandler().getParameterValues("name")).containsExactly("al\u00efce b", "bob");
			assertThat(read.forHandler().getInputStream().readAllBytes()).asString(StandardCharsets.UTF_8)
				.isEqualTo(FORM);
		});
	}

	// The server parses a form only if its stream was not requested.
	@Test
	void aFormThatIsNotSmallStaysUntouchedWithoutAPlace() {
		ServletForms large = new ServletForms(1, new FormSize(100_000, 5), () -> 0);
		whileAFormIsRead(large, () -> {
			MockHttpServletRequest untouched = new MockHttpServletRequest("POST", "/") {

				@Override
				public ServletInputStream getInputStream() {
					throw new AssertionError("requested");
				}

			};
			untouched.setContentType("application/x-www-form-urlencoded");
			assertThat(large.read(untouched, "a", true).forHandler()).as("unknown length").isSameAs(untouched);
			untouched.setContent(new byte[8193]);
			assertThat(large.read(untouched, "a", true).forHandler()).as("length").isSameAs(untouched);
		});
	}

	private static MockHttpServletRequest arrived(String content, int arrived) {
		byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
		ServletInputStream stream = new ArrivingStream(bytes, arrived);
		MockHttpServletRequest request = new MockHttpServletRequest("POST", "/") {

			@Override
			public ServletInputStream getInputStream() {
				return stream;
			}

		};
		request.setContentType("application/x-www-form-urlencoded; charset=utf-8");
		request.setContent(bytes);
		return request;
	}

	// Runs the check while a client has the one place that it may have.
	private static void whileAFormIsRead(ServletForms forms, ThrowingRunnable check) {
		Runnable meanwhile = () -> {
			try {
				check.run();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		};
		MockHttpServletRequest first = new MockHttpServletRequest("POST", "/") {

			@Override
			public ServletInputStream getInputStream() {
				return new DelegatingServletInputStream(new InputStream() {

					@Override
					public int read() {
						meanwhile.run();
						return -1;
					}

				});
			}

		};
		first.setContentType("application/x-www-form-urlencoded");
		forms.read(first, "a", true);
	}

	private static Optional<List<String>> values(ServletForms.Content read, String name) {
		return read.form().join().values(name);
	}

	private ServletForms.Content read(HttpServletRequest request) {
		return this.forms.read(request, "a", true);
	}

	private static MockHttpServletRequest announced(String content) {
		MockHttpServletRequest request = new MockHttpServletRequest("POST", "/");
		request.setContentType("application/x-www-form-urlencoded; charset=utf-8");
		request.setContent(content.getBytes(StandardCharsets.UTF_8));
		return request;
	}

	// Create a request of unknown length whose bytes arrive after the given time each.
	private MockHttpServletRequest request(String content, int secondsPerByte) {
		InputStream bytes = new ByteArrayInputStream(content.getBytes(StandardCharsets.UTF_8));
		InputStream slow = new InputStream() {

			@Override
			public int read() throws IOException {
				ServletFormsTests.this.seconds += secondsPerByte;
				return bytes.read();
			}

		};
		MockHttpServletRequest request = new MockHttpServletRequest("POST", "/") {

			@Override
			public ServletInputStream getInputStream() {
				return new DelegatingServletInputStream(slow);
			}

		};
		request.setContentType("application/x-www-form-urlencoded; charset=utf-8");
		return request;
	}

	/**
	 * Like Tomcat's stream: it reports only one byte as available until that byte is
	 * read.
	 */
	private static final class ArrivingStream extends DelegatingServletInputStream {

		private final int length;

		private final int arrived;

		private int position;

		ArrivingStream(byte[] bytes, int arrived) {
			super(new ByteArrayInputStream(bytes));
			this.length = bytes.length;
			this.arrived = arrived;
		}

		@Override
		public int read() throws IOException {
			int next = super.read();
			this.position += (next < 0) ? 0 : 1;
			return next;
		}

		@Override
		public int available() {
			int all = Math.max(0, this.arrived - this.position);
			return (this.position == 0) ? Math.min(1, all) : all;
		}

		@Override
		public boolean isFinished() {
			return this.position == this.length;
		}

	}

	private interface ThrowingRunnable {

		void run() throws IOException;

	}

}
