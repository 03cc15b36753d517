#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| signalbox_mcp::fuzzing::message(bytes));
