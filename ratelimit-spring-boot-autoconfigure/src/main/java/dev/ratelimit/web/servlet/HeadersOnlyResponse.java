package dev.ratelimit.web.servlet;

import java.io.PrintWriter;
import java.io.Writer;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;

/**
 * A response that takes header fields and nothing else: neither a status nor a body.
 */
final class HeadersOnlyResponse extends HttpServletResponseWrapper {

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
