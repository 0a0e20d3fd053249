package dev.ratelimit.web.response;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class CacheabilityTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			GET  | false |                               | false
			GET  | false | max-age=60                    | false
			GET  | false | public, max-age=60            | false
			HEAD | false | no-cache                      | false
			GET  | false | private="Set-Cookie, private" | false
			GET  | false | private                       | true
			GET  | false | max-age=60 , PRIVATE          | true
			GET  | false | no-cache, no-store, max-age=0 | true
			GET  | true  |                               | true
			GET  | true  | max-age=60                    | true
			GET  | true  | public                        | false
			GET  | true  | s-maxage=10                   | false
			GET  | true  | must-revalidate               | false
			POST | false |                               | true
			POST | false | public                        | true
			""")
	void responseThatSharedCachesMustNotStoreIsPrivate(String method, boolean authorized, @Nullable String cacheControl,
			boolean expected) {
		assertThat(HeaderVisibility.Cacheability.isPrivate(new Response(method, authorized, cacheControl)))
			.isEqualTo(expected);
	}

	private record Response(String requestMethod, boolean authorized,
			@Nullable String cacheControl) implements ResponseView {

		@Override
		public int status() {
			return 200;
		}

		@Override
		public @Nullable String header(String name) {
			return (name.equals("Cache-Control")) ? this.cacheControl : null;
		}

		@Override
		public void header(String name, @Nullable String value) {
			throw new AssertionError("nobody was to change the response");
		}

	}

}
