package dev.ratelimit.web.servlet;

import java.io.PrintWriter;
import java.io.Writer;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.ratelimit.web.response.FirstFailure;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.CorsConfigurationSource;
import org.springframework.web.cors.CorsProcessor;
import org.springframework.web.cors.CorsUtils;
import org.springframework.web.cors.DefaultCorsProcessor;
import org.springframework.web.filter.CorsFilter;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;

/**
 * Internal: adds the CORS fields of the application to rejections, because most
 * rejections are written before CORS is processed. Thread-safe.
 */
final class ServletCors {

	private static final Log logger = LogFactory.getLog(ServletCors.class);

	private final FirstFailure failure = new FirstFailure(logger,
			"Failed to apply CORS to a rejection; sending it without CORS headers.");

	private final CorsProcessor processor = new DefaultCorsProcessor();

	private final Function<HttpServletRequest, List<CorsFilter>> filters;

	private final Supplier<List<HandlerMapping>> mappings;

	/**
	 * Create the CORS configuration of an application.
	 * @param filters the filters that process CORS of a request, in their order
	 * @param mappings the handler mappings, in their order; called when they all exist
	 */
	ServletCors(Function<HttpServletRequest, List<CorsFilter>> filters, Supplier<List<HandlerMapping>> mappings) {
		this.filters = filters;
		this.mappings = SingletonSupplier.of(mappings);
	}

	/**
	 * Set the header fields of CORS, if the request is from an origin that may read the
	 * response.
	 * @param request the request
	 * @param response the response
	 * @return whether it may read the response
	 */
	boolean apply(HttpServletRequest request, HttpServletResponse response) {
		if (request.getHeader(HttpHeaders.ORIGIN) == null) {
			return false;
		}
		try {
			if (isCors(request) && !isAllowed(response)) {
				// A form that was not read must not be read for a rejection: it may be
				// slow.
				boolean read = request instanceof FormRequest form && form.isRead();
				check(new IsolatedRequest(request, read), new HeadersOnlyResponse(response));
			}
		}
		catch (Exception ex) {
			this.failure.log(ex);
		}
		return isAllowed(response);
	}

	// No browser sends a malformed origin, and no configuration allows it.
	private static boolean isCors(HttpServletRequest request) {
		try {
			return CorsUtils.isCorsRequest(request);
		}
		catch (IllegalArgumentException ex) {
			logger.debug("The origin is malformed", ex);
			return false;
		}
	}

	private static boolean isAllowed(HttpServletResponse response) {
		return response.containsHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN);
	}

	private void check(HttpServletRequest request, HttpServletResponse response) throws Exception {
		for (CorsFilter filter : this.filters.apply(request)) {
			if (!passes(filter, request, response) || isAllowed(response)) {
				return;
			}
		}
		CorsConfiguration configuration = ofHandler(request);
		if (configuration != null) {
			this.processor.processRequest(configuration, request, response);
		}
	}

	private static boolean passes(CorsFilter filter, HttpServletRequest request, HttpServletResponse response)
			throws Exception {
		AtomicBoolean passed = new AtomicBoolean();
		filter.doFilter(request, response, (same, alike) -> passed.set(true));
		return passed.get();
	}

	private @Nullable CorsConfiguration ofHandler(HttpServletRequest request) {
		try {
			ServletRequestPathUtils.parseAndCache(request);
			for (HandlerMapping mapping : this.mappings.get()) {
				HandlerExecutionChain chain = mapping.getHandler(request);
				if (chain != null) {
					return configuration(chain, request);
				}
			}
		}
		catch (Exception ex) {
			// If no handler accepts the request, the mapping may throw any exception.
			// There is then no CORS configuration for the request.
			logger.debug("No handler matches the request", ex);
		}
		return null;
	}

	// The mapping combines the configuration of the handler with the global one, and adds
	// it as an interceptor.
	private static @Nullable CorsConfiguration configuration(HandlerExecutionChain chain, HttpServletRequest request) {
		return chain.getInterceptorList()
			.stream()
			.filter(CorsConfigurationSource.class::isInstance)
			.findFirst()
			.map((source) -> ((CorsConfigurationSource) source).getCorsConfiguration(request))
			.orElse(null);
	}

	/**
	 * A response that accepts only header fields, and ignores the status and the body.
	 */
	private static final class HeadersOnlyResponse extends HttpServletResponseWrapper {

		HeadersOnlyResponse(HttpServletResponse response) {
			super(response);
		}

		@Override
		public void setStatus(int status) {
		}

		@Override
		public void sendError(int status) {
		}

		@Override
		public void sendError(int status, String message) {
		}

		@Override
		public void sendRedirect(String location) {
		}

		@Override
		public void flushBuffer() {
		}

		@Override
		public ServletOutputStream getOutputStream() {
			return new NoOutput();
		}

		@Override
		public PrintWriter getWriter() {
			return new PrintWriter(Writer.nullWriter());
		}

		private static final class NoOutput extends ServletOutputStream {

			@Override
			public boolean isReady() {
				return true;
			}

			@Override
			public void setWriteListener(WriteListener listener) {
			}

			@Override
			public void write(int octet) {
			}

		}

	}

}
