/**
 * Tests of the application by itself.
 */
@NullMarked
package com.example.notes;

import org.jspecify.annotations.NullMarked;
