package dev.ratelimit.web.servlet;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.jspecify.annotations.Nullable;

import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * A request whose form was read here. Later filters and handlers find the fields among
 * the parameters, as if the server had read the form, and can also read the bytes.
 */
final class FormRequest extends HttpServletRequestWrapper {

	private final FormContent content;

	private @Nullable Map<String, String[]> parameters;

	private @Nullable ServletInputStream stream;

	private @Nullable BufferedReader reader;

	FormRequest(HttpServletRequest request, FormContent content) {
		super(request);
		this.content = content;
	}

	/**
	 * Filter this request, and bind it to the thread for code that reads the current
	 * request.
	 * @param response its response
	 * @param chain the filters and the handler after this one
	 * @throws IOException if they fail
	 * @throws ServletException if they fail
	 */
	void inContext(ServletResponse response, FilterChain chain) throws IOException, ServletException {
		if (!(RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes before)) {
			chain.doFilter(this, response);
			return;
		}
		ServletRequestAttributes own = new ServletRequestAttributes(this, before.getResponse());
		RequestContextHolder.setRequestAttributes(own);
		try {
			chain.doFilter(this, response);
		}
		finally {
			RequestContextHolder.setRequestAttributes(before);
			own.requestCompleted();
		}
	}

	/**
	 * Return whether the whole form was read.
	 * @return whether its parameters are known without a further read
	 */
	boolean isRead() {
		return this.content.isRead();
	}

	@Override
	public @Nullable String getParameter(String name) {
		String[] values = parameters().get(name);
		return (values != null) ? values[0] : null;
	}

	@Override
	public String @Nullable [] getParameterValues(String name) {
		String[] values = parameters().get(name);
		return (values != null) ? values.clone() : null;
	}

	@Override
	public Enumeration<String> getParameterNames() {
		return Collections.enumeration(parameters().keySet());
	}

	@Override
	public Map<String, String[]> getParameterMap() {
		return Collections.unmodifiableMap(parameters());
	}

	// The parameters of the query are first.
	private Map<String, String[]> parameters() {
		Map<String, String[]> cached = this.parameters;
		if (cached == null) {
			Map<String, String[]> all = new LinkedHashMap<>(super.getParameterMap());
			this.content.fields(charset())
				.forEach((name, values) -> all.merge(name, values.toArray(String[]::new), FormRequest::joined));
			cached = all;
			this.parameters = cached;
		}
		return cached;
	}

	/**
	 * Whether the original parameters already contain the fields, because an earlier
	 * filter has made the form repeatable.
	 * @return whether this request would have each field twice
	 */
	boolean repeatsParameters() {
		Map<String, String[]> before = super.getParameterMap();
		return this.content.fields(charset())
			.entrySet()
			.stream()
			.allMatch((field) -> endsWith(before.get(field.getKey()), field.getValue()));
	}

	private static boolean endsWith(String @Nullable [] values, List<String> last) {
		return values != null && values.length >= last.size()
				&& List.of(values).subList(values.length - last.size(), values.length).equals(last);
	}

	private static String[] joined(String[] first, String[] second) {
		List<String> all = new ArrayList<>(List.of(first));
		all.addAll(List.of(second));
		return all.toArray(String[]::new);
	}

	@Override
	public ServletInputStream getInputStream() {
		ServletInputStream cached = this.stream;
		if (cached == null) {
			cached = this.content.stream();
			this.stream = cached;
		}
		return cached;
	}

	@Override
	public BufferedReader getReader() {
		BufferedReader cached = this.reader;
		if (cached == null) {
			cached = new BufferedReader(new InputStreamReader(getInputStream(), charset()));
			this.reader = cached;
		}
		return cached;
	}

	private Charset charset() {
		String name = getCharacterEncoding();
		try {
			return (name != null) ? Charset.forName(name) : StandardCharsets.UTF_8;
		}
		catch (IllegalCharsetNameException | UnsupportedCharsetException ex) {
			// The same default as in servers.
			return StandardCharsets.UTF_8;
		}
	}

}
