package dev.ratelimit.api;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.util.Assert;
import org.springframework.util.StringUtils;
import org.springframework.web.util.UriUtils;

/**
 * The description of the API in OpenAPI. Clients resolve the address of its server
 * against the address where they read it, and append the paths. So the address is
 * relative, which no context path and no proxy in front can make wrong, and ends without
 * a slash, so it names the last segment once more.
 */
final class ApiDescription {

	private static final String FILE = "META-INF/ratelimit/api/openapi.json";

	private static final String SERVER = "\"../ratelimit\"";

	private ApiDescription() {
	}

	/**
	 * The description.
	 * @param path the path of the API after the context path
	 * @return the text
	 */
	static Resource below(String path) {
		String text = text();
		Assert.state(text.contains(SERVER), "the description has no server");
		return new ByteArrayResource(text.replace(SERVER, '"' + server(path) + '"').getBytes(StandardCharsets.UTF_8));
	}

	private static String server(String path) {
		String last = path.substring(path.lastIndexOf('/') + 1);
		return (StringUtils.hasText(last)) ? "../" + UriUtils.encodePathSegment(last, StandardCharsets.UTF_8) : ".";
	}

	// By the loader of this class: that of the thread may belong to another application,
	// which has ended.
	private static String text() {
		try {
			return new ClassPathResource(FILE, ApiDescription.class.getClassLoader())
				.getContentAsString(StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
